# cmake --install: the program, and what it says of itself: man pages and completion scripts.
include(GNUInstallDirs)

install(TARGETS millrace RUNTIME)
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  function(write_from_program)
    execute_process(COMMAND \"$<TARGET_FILE:millrace>\" \${ARGN} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  function(write_completion shell path)
    get_filename_component(folder \"\${prefix}/${CMAKE_INSTALL_DATADIR}/\${path}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    write_from_program(completion \${shell} OUTPUT_FILE \"\${prefix}/${CMAKE_INSTALL_DATADIR}/\${path}\")
  endfunction()
  write_from_program(help --man --into \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\")
  write_completion(bash bash-completion/completions/millrace)
  write_completion(zsh zsh/site-functions/_millrace)
  write_completion(fish fish/vendor_completions.d/millrace.fish)
")
