// @ts-check
import { securityHeaders } from './server/kernel/http/security-headers.mjs'

/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Our server sets this mark and compresses itself (server/http/compress.ts), because Next compresses and sends each
  // small part of a page by itself.
  compress: !(Symbol.for('guildhall.own-compression') in globalThis),
  experimental: {
    // Loading all pages at startup makes the first visit to each page faster. Tests that visit few pages disable it.
    preloadEntriesOnStart: process.env.GUILDHALL_TEST_LOAD_PAGES !== 'later',
    // How long a prefetched page is used. When it opens, live updates report what has changed since.
    staleTimes: { static: 30 },
    // Without it, a page whose refresh fails for lack of a network is replaced by the browser's error page.
    useOffline: true,
  },
  devIndicators: false,
  // No page needs the image optimizer, and it would resize images for anyone.
  images: { unoptimized: true },
  // The API forgives trailing slashes instead of redirecting.
  skipTrailingSlashRedirect: true,
  // `npm run verify` checks types, for everything at once.
  typescript: { ignoreBuildErrors: true },
  // Loaded from node_modules as they are: they bring binaries, or must exist once in the process.
  serverExternalPackages: [
    'pg',
    'kysely',
    '@node-rs/argon2',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'spdx-license-list',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
    '@azure/storage-blob',
  ],
  async headers() {
    return [
      {
        source: '/:path*',
        // Pages forbid framing altogether by their content security policy.
        headers: Object.entries(securityHeaders).map(([key, value]) => ({ key, value })),
      },
    ]
  },
  async rewrites() {
    return [{ source: '/:username([^/]+)\\.keys', destination: '/-/user-keys/:username' }]
  },
}

export default config
