import type { MetadataRoute } from 'next'

// Old states of a repository, of which there are thousands, and what is expensive to compute.
const expensive = ['archive', 'commits', 'compare', 'raw/commit', 'src/commit'].map(page => `/*/*/${page}/`)

/**
 * Allows search engines to index public pages, but neither the API nor the pages under `/user/` and `/-/`,
 * most of which require signing in, nor former states of repositories.
 */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: '*',
      allow: '/',
      disallow: ['/api/v1/', '/api/trpc/', '/user/', '/-/', ...expensive],
    },
  }
}
