"""What people type, checked for its shape; a fault quotes the input and says what is allowed."""
