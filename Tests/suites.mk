# Which tests run under which sanitizer, and which are random worlds: filters of names.

# Tests of the modules with unsafe code; everywhere else strict memory safety leaves nothing for
# AddressSanitizer to find. In the tests of Kafka most of the work is librdkafka's, which no sanitizer sees.
UNSAFE := AdminServerTests AvroTests DeliveryTests EventLoopTests HTTPClientTests HTTP2Tests JSONTests \
  ProtobufTests TLSTests TelemetryTests TimeZonesTests YAMLTests
# Tests of the modules that promise what the compiler cannot check when it looks for data races. Kafka is
# not among them: ThreadSanitizer does not support librdkafka.
THREADED := AdminServerTests EventLoopTests ProtobufTests TLSTests
# Those that run under AddressSanitizer alone: EventLoopTests have a test that limits the memory of its process.
UNDER_SANITIZER := $(filter-out EventLoopTests,$(UNSAFE))

# What `make sanitize` adds, before a release: connections to APNs, the engine and the worker on a simulated kernel.
# Foundation leaks a little for each process that some of the worker's tests start, so leaks are not
# checked there. A separate test checks that their simulated worlds leak nothing.
WORKER := APNsTests EngineTests BridgeTests ConnectorTestingTests

# The tests of modules, as a filter.
empty :=
space := $(empty) $(empty)
of = ^($(subst $(space),|,$(1)))[.]

# Suites of the worker's tests that read connector files, replay or run doctor: there librdkafka starts
# threads, in a way that ThreadSanitizer does not support.
WITH_LIBRDKAFKA := (An incident|The alerts|A test file|A report on tests|A test of a connector|An update of a test file)|The article about (testing connectors|the fields of a notification)|The files of a connector.s credentials|A replay (and what it has recorded|that leaves out many dead letters)|An examination of (a service for .* providers|a bridge without an incident|APNs with a client certificate)|A dead letter without the value of its event|A forged dead letter|Doctor about (a group that has committed nothing|topics that match a pattern|a login without a token)|The check of what a new group would send|Without another thread

# Suites whose tasks share state through Swift's Mutex alone: ThreadSanitizer does not see that it
# locks, and takes each of its accesses for a race.
WITH_MUTEX := A response that takes a while|A set of connectors that starts|Work that is done side by side|The first check of several clusters|What the service manager is notified of|A connector that an operator pauses|A reload of connector files|An exporter of spans|A group that has committed nothing|An operator who confirms the clock|The responses of the admin endpoint that a release has published

# Suites that compute for long, and share nothing between threads.
IN_ONE_THREAD := Random messages of random schemas|Text that is written straight from a message.s bytes

# A test that limits the memory of its process: a sanitizer reserves more than any limit allows.
WITH_LIMIT := is the same error when the system has no memory for its stack

# Half of the time of the tests of the command line: what waits for peers that do not respond.
OF_LONG_COMMANDS := A program without descriptors|No output of a verb|A connector whose Kafka or APNs is faulty|The guard of a running process

# Half of the other integration tests.
OF_CHANGES := The compose file|A log that changes|A feedback service|Topics that come and go|The time of a broker

# The integration tests of whole bridges: those that take longest, and half of the others.
OF_BRIDGES := bridge|A record that
OF_LONG_BRIDGES := A bridge that logs in|A record that crashes
OF_ORDINARY_BRIDGES := A bridge on an? |An idle bridge|The admin endpoint of a running bridge

# Suites of groups, offsets and commits, which are repeated with the newest librdkafka.
OF_GROUPS := A commit to Kafka|The commits of a member|A rebalance|A new consumer group|A partition (without a committed offset|that comes back)|A topic that matches a pattern|A position that Kafka does not have|The end of a partition.s log|What a group would read

# What is repeated with the librdkafka of Debian 13 and of the image, 2.8.0, whose batches lose records after a
# pause and after a change of the assignment: records, positions, rebalances and pauses, in two minutes. With it
# the mock cluster may crash where it refuses a topic (librdkafka issue 4907): tests about missing topics and
# missing rights stay out.
OF_RECORDS := A member at the end of its logs|A position that Kafka does not have|A partition that comes back|The end of a partition.s log|A consumer.*(hands over every record once|keeps what it has fetched|gives up a partition of which|never hands over more|resumes without a stall)|A rebalance.*loses no record

# Suites that use programs of others: browsers, clients, databases and Prometheus.
OF_OTHERS := A legacy client from PyPI|A token of AWS.s own signer|A third-party client (of the simulator|with an unusual provider token)|The page of the simulator|The status page( of a bridge|, in a browser,)|The guide.s job for GitHub Actions|The (article about|tables of) outcomes|The dashboard

# The modules of tests that play simulated worlds.
WITH_WORLDS := APNsTests BridgeTests

# Simulated worlds: each is one thread, so that ThreadSanitizer has no races to find,
# and under it they take longer than all other tests together.
WORLDS := A worker in (bad weather|a simulated world)|A worker whose (topic is changed|commits are full|login to Kafka comes and goes)|Two workers that share a group|A world with (two apps|a record of which)|A worker whose peer sends GOAWAY|The records of a simulated world|A response from APNs|A gateway that responds in place of APNs|A pool in a (world of random servers|scenario of the simulator)|A group whose topic grows|A log that loses its last records|A worker that loses its partitions|A world with (one event that is always refused|an event for a foreign app)|A world whose firewall forgets quiet connections|An idle worker|A world with pushes that wait for a retry|A world whose members share a rate|A world in which only the newest state is sent
