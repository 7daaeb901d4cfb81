namespace millrace {}  // Nothing here yet.
