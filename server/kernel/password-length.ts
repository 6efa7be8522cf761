// Apart from what hashes passwords, so that pages can name the rule too.
export const minPasswordLength = 8
export const maxPasswordLength = 255
