/** Ours, as in package.json. */
export const productVersion = '0.1.0'

// Clients of this contract parse this as a semantic version and refuse what is older than they know.
export const apiVersion = `1.26.0+guildhall-${productVersion}`
