#include "main_bundle.h"

#include <stdlib.h>
#include <string.h>

// CoreFoundation's own, for what the dynamic linker has started in another's place.
extern const char *_CFProcessPath(void);
extern const char **_CFGetProcessPath(void);
extern const char **_CFGetProgname(void);

// On macOS, CoreFoundation takes the path of the executable from CFProcessPath; on Linux only from /proc/self/exe. The
// executable of an app may lie elsewhere than its bundle.
__attribute__((constructor)) static void settle_main_bundle(void) {
    const char *path = getenv("CFProcessPath");
    if (path == NULL || path[0] != '/') return;
    _CFProcessPath();
    char *own = strdup(path);
    if (own == NULL) return;
    *_CFGetProcessPath() = own;
    *_CFGetProgname() = strrchr(own, '/') + 1;
}
