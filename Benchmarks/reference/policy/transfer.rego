# The engine's rules for sharing, copying and saving. A transfer that no rule stops is allowed.
# input: the facts of one transfer. data.policies: settings by policy. data.locations: storage locations.
package sluice

import rego.v1

outcome := "blocked" if {
	block
} else := "encrypted" if {
	encrypt
} else := "allowed"

transfer if input.channel in {"share", "openIn", "import"}

# The policies that apply: the owner's if another account sends the data, the sender's, and the receiver's.
owner_policy := data.policies[input.owner.policy] if is_owned_by_another

sender_policy := data.policies[input.sender.policy]

receiver_policy := data.policies[input.receiver.policy]

is_owned_by_another if input.owner.account != object.get(input.sender, "account", "")

# Within one app and account, data moves freely, unless another account owns it.
stays if {
	input.sender.app == input.receiver.app
	object.get(input.sender, "account", "") == object.get(input.receiver, "account", "")
}

is_own_data if {
	stays
	not is_owned_by_another
}

# Whether the receiver is managed by the organisation of `ours`.
is_colleague(ours) if {
	input.receiver.policy
	input.receiver.account == ours.account
}

is_colleague(ours) if {
	input.receiver.policy
	input.receiver.tenant == ours.tenant
}

# Send org data to other apps.
block if {
	transfer
	send_blocks(owner_policy, input.owner)
}

block if {
	transfer
	not stays
	send_blocks(sender_policy, input.sender)
}

encrypt if {
	transfer
	send_encrypts(owner_policy)
}

encrypt if {
	transfer
	not stays
	send_encrypts(sender_policy)
}

send_blocks(policy, _) if {
	policy.send == "none"
	input.via == "sdk"
}

send_blocks(policy, ours) if {
	policy.send == "managedApps"
	input.receiver.policy
	not is_colleague(ours)
}

send_blocks(policy, _) if {
	policy.send == "managedApps"
	not input.receiver.policy
	unmanaged_blocks(policy)
}

unmanaged_blocks(_) if input.via == "sdk"

unmanaged_blocks(policy) if {
	policy.filter
	object.get(input.sender, "sdkVersion", 8000002) >= 8000002
}

unmanaged_blocks(policy) if {
	shares_by_os(policy)
	not input.receiver.isMDMManaged
	not input.device.allowOpenFromManagedToUnmanaged
}

send_encrypts(policy) if {
	policy.send == "none"
	input.via == "os"
}

send_encrypts(policy) if {
	policy.send == "managedApps"
	input.via == "os"
	not input.receiver.policy
	unmanaged_encrypts(policy)
}

unmanaged_encrypts(policy) if not shares_by_os(policy)

unmanaged_encrypts(_) if input.receiver.linksSDK

shares_by_os(policy) if {
	policy.osSharing
	input.device.isMDMEnrolled
	input.sender.hasEnrolledUPN
}

# Receive data from other apps.
block if {
	transfer
	not is_own_data
	receive_blocks(receiver_policy)
}

receive_blocks(policy) if policy.receive == "none"

receive_blocks(policy) if {
	policy.receive == "managedApps"
	not input.owner.policy
}

# The MDM profile separates apps that MDM installed from other apps.
block if {
	transfer
	mdm_blocks
}

block if {
	input.channel == "clipboard"
	input.device.requireManagedPasteboard
	mdm_blocks
}

mdm_blocks if {
	input.device.isMDMEnrolled
	input.sender.app != input.receiver.app
	input.sender.isMDMManaged
	not input.receiver.isMDMManaged
	not input.device.allowOpenFromManagedToUnmanaged
}

mdm_blocks if {
	input.device.isMDMEnrolled
	input.sender.app != input.receiver.app
	not input.sender.isMDMManaged
	input.receiver.isMDMManaged
	not input.device.allowOpenFromUnmanagedToManaged
}

# Cut, copy and paste. From SDK 9.0.14 on, a text within the character limit of every sending policy may be
# pasted anywhere.
block if {
	input.channel == "clipboard"
	copy_blocks(owner_policy, input.owner)
	not is_excepted
}

block if {
	input.channel == "clipboard"
	not stays
	copy_blocks(sender_policy, input.sender)
	not is_excepted
}

block if {
	input.channel == "clipboard"
	not is_own_data
	paste_blocks
	not is_excepted
}

copy_blocks(policy, _) if policy.clipboard == "blocked"

copy_blocks(policy, ours) if {
	policy.clipboard in {"managedApps", "managedAppsWithPasteIn"}
	not is_colleague(ours)
}

paste_blocks if receiver_policy.clipboard == "blocked"

paste_blocks if {
	receiver_policy.clipboard == "managedApps"
	not comes_from_colleague
}

comes_from_colleague if {
	input.owner.policy
	is_colleague(input.owner)
}

comes_from_colleague if {
	not input.owner.policy
	input.sender.policy
	is_colleague(input.sender)
}

is_excepted if {
	has_sending_policy
	not is_too_long(owner_policy)
	not is_too_long(sender_policy)
	object.get(input.sender, "sdkVersion", 9000014) >= 9000014
	input.characters >= 0
}

has_sending_policy if input.owner.policy

has_sending_policy if input.sender.policy

is_too_long(policy) if policy.exception == 0

is_too_long(policy) if input.characters > policy.exception

# Save copies of org data.
block if {
	input.channel == "saveTo"
	not location.takesCopies
}

block if {
	input.channel == "saveTo"
	not location.hasAccount
	input.receiver.account
}

block if {
	input.channel == "saveTo"
	save_blocks(owner_policy, input.owner)
}

block if {
	input.channel == "saveTo"
	save_blocks(sender_policy, input.sender)
}

# The storage of another managed account accepts what that account may receive.
block if {
	input.channel == "saveTo"
	not is_storage_of(input.owner)
	receive_blocks(data.policies[storage.policy])
}

location := data.locations[input.location]

# Before SDK 15.1.0, a missing account meant the sender's.
storage := input.sender if {
	location.hasAccount
	input.receiver.isUnset
	input.sender.sdkVersion < 15001000
} else := input.receiver

is_storage_of(ours) if storage.account == ours.account

save_blocks(policy, _) if policy.send == "none"

save_blocks(policy, ours) if {
	policy.send == "managedApps"
	policy.saveAsBlocked
	not is_offered(policy, ours)
}

is_offered(policy, ours) if {
	location.service in policy.storage
	is_of_account(ours)
}

is_of_account(_) if not location.hasAccount

is_of_account(ours) if {
	storage.policy
	is_storage_of(ours)
}
