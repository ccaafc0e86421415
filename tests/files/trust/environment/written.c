// What a call writes through its pointers is as sure as the call: it may fail and write nothing, or
// write what other surroundings tell.
// arguments: --function ask
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int ask(int n) {
    if (n == 1) {
        struct stat s = {0};
        stat("/", &s);
        if (s.st_size == 4711) //@ true unknown library stat succeeds
            return 1;
    }
    if (n == 2) {
        struct rlimit limit = {7, 7};
        getrlimit(RLIMIT_CORE, &limit);
        if (limit.rlim_cur == 7) //@ true unknown library getrlimit succeeds, false covered
            return 1;
    }
    if (n == 3) {
        struct timeval now = {-1, -1};
        gettimeofday(&now, 0);
        if (now.tv_usec == -1) //@ true unknown --sym-time, false covered
            return 1;
    }
    if (n == 4) {
        sigset_t old;
        sigemptyset(&old);
        sigprocmask(SIG_BLOCK, 0, &old);
        if (sigismember(&old, SIGINT)) //@ true unknown library sigprocmask succeeds, false covered
            return 1;
    }
    if (n == 5) {
        struct sigaction old;
        memset(&old, 0, sizeof old);
        sigaction(SIGPIPE, 0, &old);
        if (old.sa_handler == SIG_IGN) //@ true unknown library sigaction succeeds, false covered
            return 1;
    }
    if (n == 6) {
        int status = 7;
        waitpid(-1, &status, WNOHANG);
        if (status == 0) //@ true unknown other processes, false covered
            return 1;
    }
    if (n == 7) {
        struct winsize size = {0};
        ioctl(0, TIOCGWINSZ, &size);
        if (size.ws_col > 0) //@ true unknown environment: terminals, false covered
            return 1;
    }
    if (n == 8) {
        double load[3] = {0};
        getloadavg(load, 3);
        if (load[2] > 0) //@ true unknown library getloadavg succeeds, false covered
            return 1;
    }
    if (n == 9) {
        gid_t groups[2] = {0, 0};
        getgroups(2, groups);
        if (groups[1] == 5) //@ true unknown library getgroups succeeds, false covered
            return 1;
    }
    if (n == 10) {
        char name[64] = {0};
        gethostname(name, sizeof name);
        if (name[40]) //@ true unknown library gethostname succeeds, false covered
            return 1;
    }
    if (n == 11) {
        struct pollfd list[1] = {{0, POLLIN, 0}};
        poll(list, 1, 0);
        if (list[0].revents & POLLHUP) //@ true unknown readiness, false covered
            return 1;
    }
    if (n == 12) {
        struct timespec rest = {3, 0}, amount = {1, 0};
        nanosleep(&amount, &rest);
        if (rest.tv_sec == 3) //@ true unknown library nanosleep succeeds, false covered
            return 1;
    }
    if (n == 13) {
        struct itimerval old, none = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &none, &old);
        if (old.it_value.tv_sec > 0) //@ true unknown library setitimer succeeds, false covered
            return 1;
    }
    if (n == 15) {
        void *block = 0;
        int result = posix_memalign(&block, 64, 64);
        if (!block) //@ true unknown library posix_memalign succeeds, false covered
            return result;
        free(block);
    }
    if (n == 16) {
        struct tms used = {-1, -1, -1, -1};
        times(&used);
        if (used.tms_utime == -1) //@ true unknown library times succeeds, false covered
            return 1;
    }
    if (n == 17) {
        fd_set ready;
        FD_ZERO(&ready);
        FD_SET(0, &ready);
        struct timeval none = {0, 0};
        select(1, &ready, 0, 0, &none);
        if (!FD_ISSET(0, &ready)) //@ true unknown readiness, false covered
            return 1;
    }
    if (n == 18) {
        struct utsname machine = {"unset", "", "", "", ""};
        uname(&machine);
        if (machine.sysname[0] == 'u') //@ true unknown library uname succeeds, false covered
            return 1;
    }
    if (n == 19) {
        int status;
        wait(&status);
        if (WIFEXITED(status)) //@ true open
            return 1;
    }
    if (n == 20)
        if (n > 20) //@ true infeasible, false covered
            return 1;
    if (n == 14) {
        char link[8] = "unset";
        readlink("/proc/self/exe", link, sizeof link);
        if (link[0] == '/') //@ true open
            return 1;
    }
    return 0;
}
