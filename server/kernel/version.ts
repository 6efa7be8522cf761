/** Version of the product, as in package.json. */
export const productVersion = '0.1.0'

// Clients of this API parse the version as a semantic version and refuse versions older than they support.
export const apiVersion = `1.26.0+guildhall-${productVersion}`
