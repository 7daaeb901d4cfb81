// The bodies of Boost.Beast, compiled once (BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/beast/src.hpp>
