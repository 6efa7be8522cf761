/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  compress: true,
  devIndicators: false,
  // No page needs it, and it would resize on behalf of anybody.
  images: { unoptimized: true },
  // The API forgives trailing slashes instead of redirecting.
  skipTrailingSlashRedirect: true,
  // `npm run verify` checks types, for everything at once.
  typescript: { ignoreBuildErrors: true },
  // Loaded from node_modules as they are: they bring binaries, or must exist once in the process.
  serverExternalPackages: [
    'pg',
    'kysely',
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'pino',
    'prom-client',
    'rate-limiter-flexible',
    'sshpk',
  ],
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          // The same as server/kernel/http/security-headers.ts, which cannot be read from here.
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          // Pages forbid framing altogether by their content security policy.
          { key: 'X-Frame-Options', value: 'SAMEORIGIN' },
          { key: 'Referrer-Policy', value: 'same-origin' },
          { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
          { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=()' },
        ],
      },
    ]
  },
  async rewrites() {
    return [{ source: '/:username([^/]+)\\.keys', destination: '/user-keys/:username' }]
  },
}

export default config
