namespace millrace {}  // namespace millrace
