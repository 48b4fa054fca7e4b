/*
 * Records what a program does to the files below one folder, in an order that a disk model can replay. disk.py beside this file is
 * that model, and says what it models of data, sizes and names, and what not.
 *
 *     cc -Wall -Wextra -Werror -shared -fPIC -O2 -o forget.so forget.c
 *     LD_PRELOAD=forget.so FORGET_ROOT=FOLDER FORGET_LOG=FILE program …
 *
 * The program's files are as it expects them: nothing is forgotten while it runs. Each call that changes a file or a folder below
 * FORGET_ROOT is written to FORGET_LOG first, in the order in which the calls take effect, and so is what fsync and fdatasync make
 * durable. After SIGKILL the log tells every state in which a disk could be whose power failed at some moment, also an earlier one.
 * FORGET_LOG lies outside of FORGET_ROOT; what was written to it survives SIGKILL, since the kernel has it.
 *
 * Files are known by their inodes, not by descriptors: what is duplicated, or closed behind our back, needs no attention. Calls that
 * are not modelled and concern a known file (`sendfile` into it, `symlink`, `O_TMPFILE`, `FALLOC_FL_PUNCH_HOLE`) are recorded as such;
 * the model refuses to go on then. Files written by the C library's streams pass this library by; the model finds them because
 * its files then differ from the real ones.
 *
 * FORGET_SYNC_MICROSECONDS: a sync takes up to so long, as on a disk; 0 unless given. The real file is not synced.
 * FORGET_IGNORE_SYNC: syncs succeed and are not recorded, as on a disk that lies. A program that promises anything must fail then.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Each record: this, then `length` bytes. disk.py has the same layout. */
struct record {
    uint32_t kind;
    uint32_t length;
    uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
    uint64_t inode;
    uint64_t folder; /* of names; of a sync, the number of its beginning */
    uint64_t place;  /* offset, size, or the second folder */
};

enum kind {
    BEGUN = 'B',    /* the library is at work */
    CREATED = 'F',  /* a file in `folder`, with its name */
    FOLDER = 'D',   /* a folder in `folder`, with its name */
    WRITTEN = 'W',  /* bytes at `place` */
    SIZED = 'T',    /* the size is `place` */
    LINKED = 'L',   /* one more name in `folder` */
    UNLINKED = 'U', /* a name in `folder` is gone */
    RENAMED = 'R',  /* from `folder` to the folder `place`; both names, a zero byte between them */
    SYNCING = 'S',  /* a sync begins; `folder` is its number */
    SYNCED = 'E',   /* it has ended */
    MAPPED = 'M',   /* from now on memory may change the file */
    UNKNOWN = 'X',  /* a call that is not modelled, by its name */
};

#define SLOTS (1u << 16)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_descriptor = -1;
static dev_t device;
/* Inodes below the root: a table with linear probing. 0 is a free slot, 1 one that was freed. */
static uint64_t known[SLOTS];
static uint64_t syncs;
static long sync_microseconds;
static int ignores_syncs;

/* --- What is known ------------------------------------------------------------------------------------------------------------ */

static unsigned slot_of(uint64_t inode) { return (unsigned)((inode * 0x9E3779B97F4A7C15ull) >> 48) & (SLOTS - 1); }

static int is_known(const struct stat *status)
{
    if (log_descriptor < 0 || status->st_dev != device) return 0;
    for (unsigned slot = slot_of(status->st_ino);; slot = (slot + 1) & (SLOTS - 1)) {
        if (known[slot] == status->st_ino) return 1;
        if (known[slot] == 0) return 0;
    }
}

static void learn(uint64_t inode)
{
    unsigned slot = slot_of(inode), tries = 0;
    while (known[slot] > 1 && known[slot] != inode) {
        slot = (slot + 1) & (SLOTS - 1);
        if (++tries == SLOTS - 1) abort(); /* More files than a campaign has. */
    }
    known[slot] = inode;
}

static void unlearn(uint64_t inode)
{
    for (unsigned slot = slot_of(inode); known[slot] != 0; slot = (slot + 1) & (SLOTS - 1))
        if (known[slot] == inode) known[slot] = 1;
}

static int learn_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)path, (void)kind, (void)walk;
    learn(status->st_ino);
    return 0;
}

/* --- The log ------------------------------------------------------------------------------------------------------------------ */

static void append(enum kind kind, uint64_t inode, uint64_t folder, uint64_t place, const struct iovec *parts, int count)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct record record = {kind, 0, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, inode, folder, place};
    struct iovec all[1 + 1024];
    if (count > 1024) abort();
    all[0] = (struct iovec){&record, sizeof record};
    for (int index = 0; index < count; index++) {
        all[1 + index] = parts[index];
        record.length += (uint32_t)parts[index].iov_len;
    }
    ssize_t total = (ssize_t)sizeof record + record.length;
    /* A log that lacks something proves nothing. */
    if (syscall(SYS_writev, log_descriptor, all, count + 1) != total) abort();
}

static void append_name(enum kind kind, uint64_t inode, uint64_t folder, uint64_t place, const char *name)
{
    struct iovec part = {(void *)name, strlen(name)};
    append(kind, inode, folder, place, &part, 1);
}

static void append_unknown(const char *call) { append_name(UNKNOWN, 0, 0, 0, call); }

__attribute__((constructor)) static void begin(void)
{
    const char *root = getenv("FORGET_ROOT"), *log = getenv("FORGET_LOG"), *delay = getenv("FORGET_SYNC_MICROSECONDS");
    struct stat status;
    if (!root || !log || stat(root, &status) != 0) return;
    device = status.st_dev;
    nftw(root, learn_one, 16, FTW_PHYS);
    sync_microseconds = delay ? atol(delay) : 0;
    ignores_syncs = getenv("FORGET_IGNORE_SYNC") != NULL;
    /* Programs that this one starts are not recorded: two processes have no common order. */
    unsetenv("LD_PRELOAD");
    log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_descriptor < 0) abort();
    append(BEGUN, 0, 0, (uint64_t)getpid(), NULL, 0);
}

static void enter(void) { pthread_mutex_lock(&lock); }

static long leave(long result)
{
    int reason = errno;
    pthread_mutex_unlock(&lock);
    errno = reason;
    return result;
}

/* Whether a descriptor is that of a known file. */
static int find(int descriptor, struct stat *status)
{
    int reason = errno;
    int is_found = log_descriptor >= 0 && fstat(descriptor, status) == 0 && is_known(status);
    errno = reason;
    return is_found;
}

/* Whether the folder of a path is known; its inode, and the path's last name. */
static int find_folder(int at, const char *path, uint64_t *folder, const char **name)
{
    char parent[PATH_MAX];
    struct stat status;
    int reason = errno;
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (log_descriptor < 0 || length >= sizeof parent) return 0;
    memcpy(parent, path, length);
    parent[length] = 0;
    *name = slash ? slash + 1 : path;
    const char *where = !slash ? "." : length == 0 ? "/" : parent;
    int is_found = fstatat(at, where, &status, 0) == 0 && is_known(&status);
    *folder = status.st_ino;
    errno = reason;
    return is_found;
}

/* --- Names -------------------------------------------------------------------------------------------------------------------- */

static int has_mode(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

static int open_at(int at, const char *path, int flags, mode_t mode)
{
    uint64_t folder;
    const char *name;
    struct stat status;
    if (!(has_mode(flags) || flags & O_TRUNC) || !find_folder(at, path, &folder, &name))
        return (int)syscall(SYS_openat, at, path, flags, mode);
    enter();
    if ((flags & O_TMPFILE) == O_TMPFILE) append_unknown("open with O_TMPFILE");
    int reason = errno;
    int was_there = fstatat(at, path, &status, 0) == 0;
    errno = reason;
    if (was_there && (flags & O_TRUNC) && !(flags & O_EXCL) && S_ISREG(status.st_mode))
        append(SIZED, status.st_ino, 0, 0, NULL, 0);
    int descriptor = (int)syscall(SYS_openat, at, path, flags, mode);
    if (descriptor >= 0 && !was_there && fstat(descriptor, &status) == 0) {
        learn(status.st_ino);
        append_name(CREATED, status.st_ino, folder, 0, name);
    }
    return (int)leave(descriptor);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (has_mode(flags)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int at, const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(at, path, flags, mode);
}
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return open_at(at, path, flags, 0); }
int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
int creat64(const char *, mode_t) __attribute__((alias("creat")));
int __open64_2(const char *, int) __attribute__((alias("__open_2")));
int __openat64_2(int, const char *, int) __attribute__((alias("__openat_2")));

int mkdirat(int at, const char *path, mode_t mode)
{
    uint64_t folder;
    const char *name;
    struct stat status;
    if (!find_folder(at, path, &folder, &name)) return (int)syscall(SYS_mkdirat, at, path, mode);
    enter();
    int result = (int)syscall(SYS_mkdirat, at, path, mode);
    if (result == 0 && fstatat(at, path, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        learn(status.st_ino);
        append_name(FOLDER, status.st_ino, folder, 0, name);
    }
    return (int)leave(result);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int at, const char *path, int flags)
{
    uint64_t folder;
    const char *name;
    struct stat status;
    if (!find_folder(at, path, &folder, &name)) return (int)syscall(SYS_unlinkat, at, path, flags);
    enter();
    int was_there = fstatat(at, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
    /* A folder may have something in it. */
    int is_certain = was_there && !(flags & AT_REMOVEDIR) && !S_ISDIR(status.st_mode);
    if (is_certain) append_name(UNLINKED, status.st_ino, folder, 0, name);
    int result = (int)syscall(SYS_unlinkat, at, path, flags);
    if (is_certain && result != 0) append_unknown("an unlink that failed");
    if (result == 0 && was_there) {
        if (!is_certain) append_name(UNLINKED, status.st_ino, folder, 0, name);
        /* The number may be given to a file elsewhere. What is written to a file without a name is lost anyway. */
        if (S_ISDIR(status.st_mode) || status.st_nlink <= 1) unlearn(status.st_ino);
    }
    return (int)leave(result);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    uint64_t folder;
    const char *name;
    struct stat status;
    if (!find_folder(to_at, to, &folder, &name)) return (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    enter();
    int is_there = fstatat(to_at, to, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!is_there && fstatat(from_at, from, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        if (is_known(&status))
            append_name(LINKED, status.st_ino, folder, 0, name);
        else
            append_unknown("link of a file from elsewhere");
    }
    int result = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    if (result != 0 && !is_there) append_unknown("a link that failed");
    return (int)leave(result);
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int symlinkat(const char *target, int at, const char *path)
{
    uint64_t folder;
    const char *name;
    if (find_folder(at, path, &folder, &name)) {
        enter();
        append_unknown("symlink");
        leave(0);
    }
    return (int)syscall(SYS_symlinkat, target, at, path);
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    uint64_t source = 0, target = 0;
    const char *old = from, *new = to;
    struct stat status, replaced;
    int comes = find_folder(from_at, from, &source, &old), goes = find_folder(to_at, to, &target, &new);
    if (!comes && !goes) return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    enter();
    int has_status = fstatat(from_at, from, &status, AT_SYMLINK_NOFOLLOW) == 0;
    int replaces = fstatat(to_at, to, &replaced, AT_SYMLINK_NOFOLLOW) == 0;
    if (has_status && (!comes || !goes || flags != 0)) {
        append_unknown("rename across the root, or with flags");
    } else if (has_status) {
        struct iovec names[] = {{(void *)old, strlen(old)}, {"", 1}, {(void *)new, strlen(new)}};
        append(RENAMED, status.st_ino, source, target, names, 3);
    }
    int result = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (result != 0 && has_status) {
        append_unknown("a rename that failed");
    } else if (result == 0) {
        if (replaces && replaced.st_ino != status.st_ino && replaced.st_nlink <= 1) unlearn(replaced.st_ino);
    }
    return (int)leave(result);
}
int renameat(int from_at, const char *from, int to_at, const char *to) { return renameat2(from_at, from, to_at, to, 0); }
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

/* --- Bytes -------------------------------------------------------------------------------------------------------------------- */

/* Records bytes before they are written: a killed program has written nothing that the log lacks. */
static void note_write(int descriptor, const struct stat *status, off_t offset, const struct iovec *parts, int count)
{
    if (offset < 0) {
        int is_appending = fcntl(descriptor, F_GETFL) & O_APPEND;
        offset = is_appending ? status->st_size : (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    }
    append(WRITTEN, status->st_ino, 0, (uint64_t)offset, parts, count);
}

static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    struct stat status;
    size_t wanted = 0;
    enter();
    int is_recorded = find(descriptor, &status) && S_ISREG(status.st_mode);
    if (is_recorded) note_write(descriptor, &status, offset, parts, count);
    else pthread_mutex_unlock(&lock); /* A socket may make its writer wait. */
    ssize_t result = offset < 0 ? syscall(SYS_writev, descriptor, parts, count)
                                : syscall(SYS_pwritev, descriptor, parts, count, (long)offset, 0L);
    if (!is_recorded) return result;
    for (int index = 0; index < count; index++) wanted += parts[index].iov_len;
    if (result != (ssize_t)wanted) append_unknown("a write that was cut short");
    return leave(result);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) { return write_parts(descriptor, parts, count, -1); }
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    return write_parts(descriptor, parts, count, offset);
}
ssize_t pwritev64(int, const struct iovec *, int, off64_t) __attribute__((alias("pwritev")));

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    struct iovec part = {(void *)bytes, count};
    /* The log's own system calls do not come here. */
    return write_parts(descriptor, &part, 1, -1);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    struct iovec part = {(void *)bytes, count};
    return write_parts(descriptor, &part, 1, offset);
}
ssize_t pwrite64(int, const void *, size_t, off64_t) __attribute__((alias("pwrite")));

int ftruncate(int descriptor, off_t size)
{
    struct stat status;
    enter();
    if (find(descriptor, &status)) append(SIZED, status.st_ino, 0, (uint64_t)size, NULL, 0);
    return (int)leave(syscall(SYS_ftruncate, descriptor, size));
}
int ftruncate64(int, off64_t) __attribute__((alias("ftruncate")));

int truncate(const char *path, off_t size)
{
    struct stat status;
    enter();
    if (stat(path, &status) == 0 && is_known(&status)) append(SIZED, status.st_ino, 0, (uint64_t)size, NULL, 0);
    return (int)leave(syscall(SYS_truncate, path, size));
}
int truncate64(const char *, off64_t) __attribute__((alias("truncate")));

int fallocate(int descriptor, int mode, off_t offset, off_t length)
{
    struct stat status;
    enter();
    if (find(descriptor, &status)) {
        if (mode & ~FALLOC_FL_KEEP_SIZE)
            append_unknown("fallocate that removes or zeroes");
        else if (!(mode & FALLOC_FL_KEEP_SIZE) && offset + length > status.st_size)
            append(SIZED, status.st_ino, 0, (uint64_t)(offset + length), NULL, 0);
    }
    return (int)leave(syscall(SYS_fallocate, descriptor, mode, offset, length));
}
int fallocate64(int, int, off64_t, off64_t) __attribute__((alias("fallocate")));

int posix_fallocate(int descriptor, off_t offset, off_t length)
{
    int before = errno, result = fallocate(descriptor, 0, offset, length), reason = errno;
    errno = before;
    return result == 0 ? 0 : reason;
}
int posix_fallocate64(int, off64_t, off64_t) __attribute__((alias("posix_fallocate")));

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    struct stat status;
    if (descriptor >= 0 && (flags & MAP_SHARED) && find(descriptor, &status)) {
        enter();
        append(MAPPED, status.st_ino, 0, 0, NULL, 0);
        leave(0);
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
void *mmap64(void *, size_t, int, int, int, off64_t) __attribute__((alias("mmap")));

ssize_t sendfile(int target, int source, off_t *offset, size_t count)
{
    struct stat status;
    if (find(target, &status)) {
        enter();
        append_unknown("sendfile");
        leave(0);
    }
    return syscall(SYS_sendfile, target, source, offset, count);
}
ssize_t sendfile64(int, int, off64_t *, size_t) __attribute__((alias("sendfile")));

ssize_t copy_file_range(int source, off64_t *from, int target, off64_t *to, size_t count, unsigned flags)
{
    struct stat status;
    if (find(target, &status)) {
        enter();
        append_unknown("copy_file_range");
        leave(0);
    }
    return syscall(SYS_copy_file_range, source, from, target, to, count, flags);
}

/* --- Syncs -------------------------------------------------------------------------------------------------------------------- */

/* Durable is what was written before the sync began, once it has ended. Others write meanwhile. */
static int sync_file(int descriptor)
{
    struct stat status;
    if (!find(descriptor, &status)) return (int)syscall(SYS_fsync, descriptor);
    if (ignores_syncs) return 0;
    enter();
    uint64_t number = ++syncs;
    append(SYNCING, status.st_ino, number, 0, NULL, 0);
    /* A delay of its own for each, by a multiplicative hash of its number. */
    long delay = sync_microseconds > 0 ? (long)((number * 0x9E3779B97F4A7C15ull >> 33) % (uint64_t)sync_microseconds) : 0;
    leave(0);
    if (delay > 0) nanosleep(&(struct timespec){delay / 1000000, delay % 1000000 * 1000}, NULL);
    enter();
    append(SYNCED, status.st_ino, number, 0, NULL, 0);
    return (int)leave(0);
}

int fsync(int descriptor) { return sync_file(descriptor); }
int fdatasync(int descriptor) { return sync_file(descriptor); }
