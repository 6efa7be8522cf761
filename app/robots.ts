import type { MetadataRoute } from 'next'

/**
 * Allows search engines to index public pages, but neither the API nor the pages under `/user/` and `/-/`,
 * most of which require signing in.
 */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: ['/api/v1/', '/api/trpc/', '/user/', '/-/'] } }
}
