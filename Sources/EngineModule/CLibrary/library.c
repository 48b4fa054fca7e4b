// What Embedded Swift needs of a C library besides wasi-libc. Compiled for WebAssembly alone.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The standard library reads floating-point numbers by this function; the C locale is the only one here.
const char *_swift_stdlib_strtod_clocale(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end;
}

uintptr_t __stack_chk_guard = 0x5C3E5E7D;
_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Seeds the hashes of dictionaries. No result depends on their order, so the seed may be known.
void arc4random_buf(void *memory, size_t byteCount) {
    unsigned char *bytes = memory;
    for (size_t index = 0; index < byteCount; index++) bytes[index] = (unsigned char)(index * 37 + 11);
}

// Messages of traps: there is no output.
int putchar(int character) { return character; }

// strtod of wasi-libc reads by stdio, which links files that it never opens. Defined here, the module imports nothing.
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t count, int32_t written) { __builtin_trap(); }
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t whence, int32_t place) { __builtin_trap(); }
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file) { __builtin_trap(); }
