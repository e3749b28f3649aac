//! The names of the C library: what a program that uses them, and does not define them, means.
//!
//! Functions of ISO C and of POSIX, each with the number of its parameters; `+` says that more may
//! follow. A function of the same name with another number of arguments is the program's own.

/// Functions of the library, with and without models.
const FUNCTIONS: &str = "
abs/1 access/2 accept/3 aligned_alloc/2 alarm/1 alphasort/2 asctime/1 asprintf/2+ at_quick_exit/1
atexit/1 atof/1 atoi/1 atol/1 atoll/1 basename/1 bcmp/3 bcopy/3 bind/3 bsearch/5 btowc/1 bzero/2
calloc/2 chdir/1 chmod/2 chown/3 clearenv/0 clearerr/1 clock/0 clock_gettime/2 close/1 closedir/1
connect/3 creat/2 ctime/1 difftime/2 dirname/1 div/2 dprintf/2+ dup/1 dup2/2 err/2+ errx/2+
execl/2+ execlp/2+ execv/2 execve/3 execvp/2 fchmod/2 fclose/1 fcntl/2+ fdopen/2 feclearexcept/1
fegetround/0 feof/1 feraiseexcept/1 ferror/1 fesetround/1 fetestexcept/1 fflush/1 ffs/1 fgetc/1
fgetpos/2 fgets/3 fileno/1 flock/2 fmemopen/3 fopen/2 fork/0 fprintf/2+ fputc/2 fputs/2 fputwc/2 fread/4
freopen/3 fscanf/2+ fseek/3 fseeko/3 fsetpos/2 fstat/2 fsync/1 ftell/1 ftello/1 ftruncate/2
fwrite/4 gai_strerror/1 getc/1 getchar/0 getcwd/2 getdelim/4 getegid/0 getenv/1 geteuid/0 getgid/0
gethostname/2 getline/3 getopt/3 getopt_long/5 getpagesize/0 getpgrp/0 getpid/0 getppid/0
getrlimit/2 getrusage/2 gets/1 getsid/1 gettimeofday/2 getuid/0 getwc/1 getwchar/0 gmtime/1
gmtime_r/2 htonl/1 htons/1 ilogb/1 imaxabs/1 imaxdiv/2 index/2 inet_addr/1 inet_ntoa/1
ioctl/2+ isalnum/1 isalpha/1 isascii/1 isatty/1 isblank/1 iscntrl/1 isdigit/1 isgraph/1 islower/1
isprint/1 ispunct/1 isspace/1 isupper/1 iswalnum/1 iswalpha/1 iswctype/2 iswdigit/1 iswlower/1
iswspace/1 iswupper/1 isxdigit/1 kill/2 labs/1 ldiv/2 lfind/5 link/2 listen/2 llabs/1 lldiv/2
llrint/1 llround/1 localeconv/0 localtime/1 localtime_r/2 lrint/1 lround/1 lsearch/5 lseek/3
lstat/2 mblen/2 mbrlen/3 mbrtowc/4 mbsinit/1 mbsrtowcs/4 mbstowcs/3 mbtowc/3 memccpy/4 memchr/3
memcmp/3 memcpy/3 memmem/4 memmove/3 mempcpy/3 memrchr/3 memset/3 mkdir/2 mkstemp/1 mktime/1
mmap/6 mprotect/3 munmap/2 nanosleep/2 ntohl/1 ntohs/1 open/2+ open_memstream/2 opendir/1 openlog/3 pause/0
pclose/1 perror/1 pipe/1 poll/3 popen/2 posix_memalign/3 pread/4 printf/1+ putc/2 putchar/1
putenv/1 puts/1 putwc/2 putwchar/1 pwrite/4 qsort/4 qsort_r/5 raise/1 rand/0 rand_r/1 random/0
read/3 readdir/1 readlink/3 readv/3 realloc/2 reallocarray/3 realpath/2 recv/4 recvfrom/6
regcomp/3 regexec/5 regfree/1 remove/1 rename/2 rewind/1 rindex/2 rmdir/1 scanf/1+ sched_yield/0
select/5 send/4 sendto/6 setbuf/2 setenv/3 setgid/1 setlocale/2 setpgid/2 setrlimit/2 setsid/0
setsockopt/5 setuid/1 setvbuf/4 shutdown/2 sigaction/3 sigaddset/2 sigdelset/2 sigemptyset/1
sigfillset/1 sigismember/2 signal/2 sigprocmask/3 sigsuspend/1 sleep/1 snprintf/3+ socket/3
sprintf/2+ srand/1 srandom/1 sscanf/2+ stat/2 stpcpy/2 stpncpy/3 strcasecmp/2 strcasestr/2
strcat/2 strchr/2 strchrnul/2 strcmp/2 strcoll/2 strcpy/2 strcspn/2 strdup/1 strerror/1
strerror_r/3 strftime/4 strlen/1 strncasecmp/3 strncat/3 strncmp/3 strncpy/3 strndup/2 strnlen/2
strpbrk/2 strrchr/2 strsep/2 strsignal/1 strspn/2 strstr/2 strtod/2 strtof/2 strtoimax/3 strtok/2
strtok_r/3 strtol/3 strtold/2 strtoll/3 strtoul/3 strtoull/3 strtoumax/3 strverscmp/2 strxfrm/3
swab/3 swprintf/3+ symlink/2 sync/0 sysconf/1 syslog/2+ system/1 tdelete/3 tfind/3 time/1
times/1 timespec_get/2 tmpfile/0 tmpnam/1 toascii/1 tolower/1 toupper/1 towlower/1 towupper/1
truncate/2 tsearch/3 ttyname/1 twalk/2 tzset/0 ulimit/2 umask/1 uname/1 ungetc/2 ungetwc/2
unlink/1 unsetenv/1 usleep/1 utime/2 vasprintf/3 vdprintf/3 vfprintf/3 vfscanf/3 vprintf/2
vscanf/2 vsnprintf/4 vsprintf/3 vsscanf/3 wait/1 waitpid/3 warn/1+ warnx/1+ wcrtomb/3 wcscat/2
wcschr/2 wcscmp/2 wcscpy/2 wcscspn/2 wcsdup/1 wcslen/1 wcsncat/3 wcsncmp/3 wcsncpy/3 wcspbrk/2
wcsrchr/2 wcsspn/2 wcsstr/2 wcstok/3 wcstol/3 wcstombs/3 wcstoul/3 wctob/1 wctomb/2 wctype/1
wmemchr/3 wmemcmp/3 wmemcpy/3 wmemmove/3 wmemset/3 wprintf/1+ write/3 writev/3
";

/// Functions of <math.h>. Each has two more forms, whose names end with `f` and `l`.
const MATH: &str = "
acos/1 acosh/1 asin/1 asinh/1 atan/1 atan2/2 atanh/1 cbrt/1 ceil/1 copysign/2 cos/1 cosh/1 erf/1
erfc/1 exp/1 exp10/1 exp2/1 expm1/1 fabs/1 fdim/2 floor/1 fma/3 fmax/2 fmin/2 fmod/2 frexp/2 hypot/2
j0/1 j1/1 jn/2 ldexp/2 lgamma/1 log/1 log10/1 log1p/1 log2/1 logb/1 modf/2 nan/1 nearbyint/1
nextafter/2 nexttoward/2 pow/2 pow10/1 remainder/2 remquo/3 rint/1 round/1 roundeven/1 scalb/2
scalbln/2 scalbn/2 significand/1 sin/1 sinh/1 sqrt/1 tan/1 tanh/1 tgamma/1 trunc/1 y0/1 y1/1 yn/2
ilogb/1 llrint/1 llround/1 lrint/1 lround/1
";

/// Functions of [`MATH`] that write through a pointer.
const MATH_WRITES: [&str; 3] = ["frexp", "modf", "remquo"];

/// A function of [`MATH`], without the end of its name that says the type; `None` for others.
fn math_name(name: &str) -> Option<(&'static str, usize)> {
    let entries = MATH.split_whitespace().filter_map(|entry| {
        let (known, count) = entry.split_once('/')?;
        Some((known, count.parse().ok()?))
    });
    let is_form = |known: &str| matches!(name.strip_prefix(known), Some("" | "f" | "l"));
    entries.into_iter().find(|(known, _)| is_form(known))
}

/// Functions of [`FUNCTIONS`] without models that change nothing a program can see but `errno`,
/// their result, and what is outside of it.
const WRITES_NOTHING: &str = "
access alarm atof btowc chdir chmod chown clock close closedir creat difftime
dprintf dup dup2 err errx execl execlp execv execve execvp fchmod fclose fdopen
feclearexcept fegetround feof feraiseexcept ferror fesetround fetestexcept fflush fileno flock
fopen fork fprintf fputs fputwc freopen fseek fseeko fsync ftell ftello ftruncate fwrite getegid getenv
geteuid getgid getpagesize getpgrp getpid getppid getsid getuid getwc getwchar htonl htons ilogb
imaxdiv isatty iswalnum iswalpha iswctype iswdigit iswlower iswspace iswupper kill link listen
llrint llround lrint lround lseek mblen mkdir nanosleep ntohl ntohs open opendir openlog pause
pclose popen printf puts putwc putwchar raise remove rename rmdir sched_yield send setenv setgid
setlocale setpgid setrlimit setsid setuid shutdown socket snprintf sprintf strerror strsignal
strverscmp symlink sync sysconf syslog system tmpfile towlower towupper truncate tzset ulimit umask
ungetwc unlink unsetenv vdprintf vfprintf vprintf warn warnx wctob wctype
wprintf write
";

/// Functions of [`FUNCTIONS`] without models, with an argument that says how much memory they read
/// or write.
const SIZED: &str = "
confstr fread fwrite getcwd getdelim gethostname getrandom ioctl lfind lsearch mbsrtowcs mbstowcs
memccpy memmem munmap poll pread pwrite qsort_r read readlink readv recv recvfrom send sendto
setsockopt setvbuf snprintf strerror_r strftime strxfrm swab swprintf vsnprintf wcstombs write writev
";

/// Has a function without a model an argument that says how much memory it reads or writes?
pub(crate) fn is_sized(name: &str) -> bool {
    SIZED.split_whitespace().any(|known| known == name)
}

/// Variables of the library.
const VARIABLES: [&str; 12] = [
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "timezone",
    "daylight",
    "tzname",
];

/// Is this a function of the library, if it is called with this number of arguments? Names of the
/// compiler's own forms of these functions count as well.
pub(crate) fn is_function(name: &str, arguments: usize) -> bool {
    let name = name
        .strip_prefix("__isoc99_")
        .or_else(|| name.strip_prefix("__isoc23_"))
        .unwrap_or(name);
    if math_name(name).is_some_and(|(_, count)| count == arguments) {
        return true;
    }
    FUNCTIONS.split_whitespace().any(|entry| {
        let Some((known, count)) = entry.split_once('/') else {
            return false;
        };
        let (count, more) = match count.strip_suffix('+') {
            Some(count) => (count, true),
            None => (count, false),
        };
        let count: usize = count.parse().unwrap_or(usize::MAX);
        known == name && (arguments == count || (more && arguments > count))
    })
}

/// Does a function of the library without a model change nothing that a program can see? A function
/// that prints to memory is listed too: it writes to its first argument only.
pub(crate) fn writes_nothing(name: &str) -> bool {
    math_name(name).is_some_and(|(known, _)| !MATH_WRITES.contains(&known))
        || WRITES_NOTHING.split_whitespace().any(|known| known == name)
}

/// Which argument of a function is a format, if one is.
pub(crate) fn format_position(name: &str) -> Option<usize> {
    Some(match name {
        "printf" | "vprintf" | "wprintf" | "warn" | "warnx" => 0,
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "sprintf" | "vsprintf" | "syslog"
        | "err" | "errx" => 1,
        "snprintf" | "vsnprintf" => 2,
        _ => return None,
    })
}

/// Is this a variable of the library?
pub(crate) fn is_variable(name: &str) -> bool {
    VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers_of_parameters() {
        for (name, arguments, expected) in [
            ("strlen", 1, true),
            ("strlen", 2, false),
            ("printf", 4, true),
            ("printf", 0, false),
            ("__isoc99_sscanf", 3, true),
            ("read", 3, true),
            ("read", 0, false),
            ("read_sensor", 0, false),
            ("sin", 1, true),
            ("sinf", 1, true),
            ("sine", 1, false),
            ("pow", 1, false),
        ] {
            assert_eq!(is_function(name, arguments), expected, "{name}");
        }
        for entry in FUNCTIONS.split_whitespace() {
            let (_, count) = entry.split_once('/').expect("a number of parameters");
            assert!(
                count.trim_end_matches('+').parse::<usize>().is_ok(),
                "{entry}"
            );
        }
        for name in WRITES_NOTHING.split_whitespace() {
            let is_entry = |entry: &str| entry.split('/').next() == Some(name);
            assert!(FUNCTIONS.split_whitespace().any(is_entry), "{name}");
        }
        assert!(is_variable("stderr") && !is_variable("error"));
    }
}
