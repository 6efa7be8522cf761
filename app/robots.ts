import type { MetadataRoute } from 'next'

/** For search engines: what the public may see, and neither the API nor pages that only lead to sign in. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: ['/api/v1/', '/api/trpc/', '/user/', '/-/'] } }
}
