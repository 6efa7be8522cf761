// @ts-check
import { securityHeaders } from './server/kernel/http/security-headers.mjs'

/**
 * Where people and tools that come from Gitea look for pages. Their first words can be nobody's name.
 * @type {[source: string, destination: string][]}
 */
const giteaAddresses = [
  ['/login', '/-/sign-in'],
  ['/user/login', '/-/sign-in'],
  ['/user/logout', '/-/sign-out'],
  ['/user/forgot_password', '/-/sign-in'],
  ['/user/sign_up', '/-/register'],
  ['/user/change_password', '/user/settings/password'],
  ['/user/settings/account', '/user/settings/password'],
  ['/user/settings/security', '/user/settings/password'],
  ['/user/settings/ssh-gpg', '/user/settings/keys'],
  ['/user/settings/appearance', '/user/settings/profile'],
  ['/user/settings/applications', '/user/settings/tokens'],
  ['/user/settings/organization', '/-/orgs'],
  ['/user/settings/repos', '/'],
  ['/user/settings/blocked_users', '/user/settings/blocked'],
  ['/repo/create', '/-/new'],
  ['/org/create', '/-/orgs/new'],
  ['/org/:org/members', '/-/orgs/:org/people'],
  ['/org/:org/teams/:path*', '/-/orgs/:org/teams/:path*'],
  ['/org/:org/settings', '/-/orgs/:org/settings'],
  ['/org/:org/settings/blocked_users', '/-/orgs/:org/settings/blocked'],
  ['/org/:org/settings/hooks/:type/new', '/-/orgs/:org/settings/hooks/new?type=:type'],
  ['/org/:org/settings/hooks/:id*', '/-/orgs/:org/settings/hooks/:id*'],
  ['/user/settings/hooks/:type/new', '/user/settings/hooks/new?type=:type'],
  ['/-/admin/system-hooks', '/-/admin/hooks'],
  ['/-/admin/default-hooks', '/-/admin/hooks'],
  ['/-/admin/system-hooks/:type/new', '/-/admin/hooks/new?type=:type'],
  ['/-/admin/default-hooks/:type/new', '/-/admin/hooks/new?type=:type&for=new'],
  ['/-/admin/:kind(system|default)-hooks/:id', '/-/admin/hooks/:id'],
  ['/org/:org', '/:org'],
  ['/org/:org/dashboard', '/:org'],
  ['/explore/:kind(repos|users|organizations|code)', '/explore'],
  ['/api/swagger', '/api/docs'],
  ['/swagger.v1.json', '/api/v1/openapi.json'],
  ['/openapi3.v1.json', '/api/v1/openapi.json'],
  ['/-/admin', '/-/admin/users'],
]

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
    '@electric-sql/pglite',
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
  async redirects() {
    return [
      {
        source: '/user/login',
        has: [{ type: 'query', key: 'redirect_to', value: '(?<next>.+)' }],
        destination: '/-/sign-in?next=:next',
        permanent: false,
      },
      ...giteaAddresses.map(([source, destination]) => ({ source, destination, permanent: false })),
    ]
  },
  async rewrites() {
    return [{ source: '/:username([^/]+)\\.keys', destination: '/-/user-keys/:username' }]
  },
}

export default config
