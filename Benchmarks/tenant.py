"""Measures `sluice tenant` on a large tenant: processor seconds and peak memory of each question.

Usage: tenant.py [USERS [FOLDER]]. Writes a tenant with USERS users (100,000 by default) to FOLDER, or to a temporary
folder that is removed again. The groups, memberships and dynamic groups grow with the users; the documents do not.
FOLDER.one and FOLDER.all are the tenant with a change of one policy and of all policies, for `tenant diff`.
Needs a built `bin/sluice`, or a program that the environment variable SLUICE names.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SLUICE = os.environ.get("SLUICE", ROOT / "bin" / "sluice")

POLICIES, CONFIGURATIONS, CONDITIONAL_ACCESS = 60, 40, 50
APPS = ["com.microsoft.office.outlook", "com.microsoft.skype.teams"] + [f"com.contoso.app{number}" for number in range(30)]
DEPARTMENTS = ["Sales", "Service", "Finance", "Operations", "Research", "Legal"]
CITIES = ["Berlin", "Brno", "Paris", "Rome", "Oslo"]
GRAPH = "#microsoft.graph."


def user_id(number):
    return f"7f4c0000-0000-4001-8000-{number:012x}"


def group_id(number):
    return f"7f4c0000-0000-4002-8000-{number:012x}"


def users(count, rng):
    for number in range(count):
        upn = f"user{number}@contoso.com"
        yield {
            "id": user_id(number), "userPrincipalName": upn, "mail": upn, "displayName": f"User {number}",
            "department": rng.choice(DEPARTMENTS), "city": rng.choice(CITIES), "jobTitle": f"Job {number % 500}",
            "accountEnabled": True, "userType": "Guest" if number % 50 == 0 else "Member", "usageLocation": "DE",
            "officeLocation": str(number % 100),
            "assignedLicenses": [] if number % 10 == 0 else [{"skuId": "efccb6f7-5641-4e0e-bd10-b4976e1bf68e"}],
        }


def groups(count, user_count, memberships, rng):
    """Yields the groups: the first tenth is dynamic, and every fourth of the others contains a group."""
    dynamic = count // 10
    each = memberships // (count - dynamic)
    for number in range(count):
        group = {"@odata.type": GRAPH + "group", "id": group_id(number), "displayName": f"Group {number}"}
        if number < dynamic:
            department, city = rng.choice(DEPARTMENTS), rng.choice(CITIES)
            group["membershipRule"] = (
                f'(user.department -eq "{department}" -and user.jobTitle -in ["Job {number}", "Job {number + 7}"]) '
                f'-or (user.city -startsWith "{city[:2]}" -and user.physicalDeliveryOfficeName -eq "{number % 100}")')
        else:
            members = [user_id(member) for member in rng.sample(range(user_count), min(each, user_count))]
            if number % 4 == 0:
                members.append(group_id(rng.randrange(count)))
            group["members"] = [{"id": member} for member in members]
        yield group


def assignments(group_count, rng):
    """Returns some inclusions, and one exclusion of a group that is not dynamic."""
    chosen = [rng.randrange(group_count) for _ in range(3)]
    targets = [{"@odata.type": GRAPH + "groupAssignmentTarget", "groupId": group_id(number)} for number in chosen]
    excluded = rng.randrange(group_count // 10, group_count)
    targets.append({"@odata.type": GRAPH + "exclusionGroupAssignmentTarget", "groupId": group_id(excluded)})
    return [{"target": target} for target in targets]


def apps(rng):
    identifiers = [
        {"@odata.type": GRAPH + "iosMobileAppIdentifier", "bundleId": app} for app in rng.sample(APPS, 5)]
    return [{"mobileAppIdentifier": identifier} for identifier in identifiers]


def documents(group_count, rng):
    """Yields the path and the object of each document."""
    for number in range(POLICIES):
        yield f"AppProtection/{number}.json", {
            "@odata.type": GRAPH + "iosManagedAppProtection", "displayName": f"Policy {number}",
            "allowedOutboundDataTransferDestinations": rng.choice(["allApps", "managedApps", "none"]),
            "apps": apps(rng), "assignments": assignments(group_count, rng),
        }
    for number in range(CONFIGURATIONS):
        yield f"AppConfigurationManagedApp/{number}.json", {
            "@odata.type": GRAPH + "targetedManagedAppConfiguration", "displayName": f"Configuration {number}",
            "customSettings": [{"name": "com.contoso.signature", "value": str(number)}],
            "apps": apps(rng), "assignments": assignments(group_count, rng),
        }
    for number in range(CONDITIONAL_ACCESS):
        included, excluded = (group_id(rng.randrange(group_count)) for _ in range(2))
        yield f"ConditionalAccess/{number}.json", {
            "@odata.type": GRAPH + "conditionalAccessPolicy", "displayName": f"Access {number}", "state": "enabled",
            "conditions": {
                "clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]},
                "users": {"includeUsers": [], "includeGroups": [included], "excludeGroups": [excluded]},
            },
            "grantControls": {"operator": "OR", "builtInControls": ["compliantApplication"]},
        }


def write(folder, user_count):
    """Writes a tenant that depends only on the number of users."""
    rng = random.Random(50)
    group_count = max(user_count // 20, 100)
    lists = {
        "Users/users.json": users(user_count, rng),
        "Groups/groups.json": groups(group_count, user_count, user_count * 10, rng),
    }
    for path, objects in lists.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps({"value": list(objects)}, separators=(",", ":")))
    for path, document in documents(group_count, rng):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(document, indent=2))


def change(folder, count):
    """Returns a copy of the tenant in which the first policies block printing. Unchanged files are hard links."""
    copy = folder.with_name(f"{folder.name}.{'one' if count == 1 else 'all'}")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, copy_function=os.link)
    for number in range(count):
        path = copy / "AppProtection" / f"{number}.json"
        policy = json.loads(path.read_text()) | {"printBlocked": True}
        path.unlink()
        path.write_text(json.dumps(policy, indent=2))
    return copy


def measure(name, *words, status=0):
    """Prints the processor time, the elapsed time, the peak memory and the size of the output of one command."""
    start = time.monotonic()
    process = subprocess.Popen([SLUICE, "tenant", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    size = sum(len(part) for part in iter(lambda: process.stdout.read(1 << 20), b""))
    _, ending, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ending)
    print(
        f"RESULT tenant-{name} cpu_s={usage.ru_utime + usage.ru_stime:.2f} s={time.monotonic() - start:.2f} "
        f"mib={usage.ru_maxrss // 1024} output_kib={size // 1024}", flush=True)
    if process.returncode != status:
        sys.exit(f"tenant-{name}: exit status {process.returncode}")


def main():
    user_count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary + "/tenant")
        write(folder, user_count)
        size = sum(path.stat().st_size for path in folder.rglob("*.json"))
        print(f"{user_count} users, {size >> 20} MiB of JSON", flush=True)
        user = f"user{user_count // 2}@contoso.com"
        measure("answer", "who", str(folder), "--user", user, "--app", APPS[0])
        measure("user", "who", str(folder), "--user", user)
        measure("app", "who", str(folder), "--app", APPS[0], "--format", "csv")
        for form in ["csv", "text", "json", "html"]:
            measure(f"table-{form}", "who", str(folder), "--format", form)
        measure("table-all", "who", str(folder), "--all", "--format", "csv")
        measure("lint", "lint", str(folder))
        for count in [1, POLICIES]:
            copy = change(folder, count)
            measure(f"diff-{count}", "diff", str(folder), str(copy), status=1)


if __name__ == "__main__":
    main()
