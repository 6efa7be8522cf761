// Separate from password hashing, so that pages can import it.
export const minPasswordLength = 8
export const maxPasswordLength = 255
