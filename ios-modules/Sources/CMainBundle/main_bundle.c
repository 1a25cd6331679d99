#include "main_bundle.h"

#include <stdlib.h>
#include <string.h>

// These private CoreFoundation functions override the executable path and program name.
extern const char *_CFProcessPath(void);
extern const char **_CFGetProcessPath(void);
extern const char **_CFGetProgname(void);

// On macOS, CoreFoundation reads the executable path from the environment variable CFProcessPath.
// On Linux, it reads only /proc/self/exe, although an app's executable may be outside its bundle.
__attribute__((constructor)) static void settle_main_bundle(void) {
    const char *path = getenv("CFProcessPath");
    if (path == NULL || path[0] != '/') return;
    _CFProcessPath();
    char *own = strdup(path);
    if (own == NULL) return;
    *_CFGetProcessPath() = own;
    *_CFGetProgname() = strrchr(own, '/') + 1;
}
