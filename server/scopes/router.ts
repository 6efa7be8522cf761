import type { z } from 'zod'
import type { UserCtx } from '@/server/kernel/ctx'
import { signedInWith } from '@/server/trpc/procedures'
import type { RestOptions } from '@/server/trpc/rest'
import { type ScopeName, scopePaths } from './schema'

interface ScopeKind extends Pick<RestOptions, 'private'> {
  tag: 'organization' | 'repository' | 'user' | 'admin'
  /** Path prefix of the endpoints of this scope. */
  prefix: `/${string}`
  /** Name of the scope in summaries, which follows "of". */
  whose: string
  refused: string
  notFound?: string
}

const scopeKinds: Record<ScopeName['kind'], ScopeKind> = {
  organization: {
    tag: 'organization',
    prefix: '/orgs/{org}',
    whose: 'an organization',
    refused: 'You do not own the organization',
    notFound: 'The organization does not exist or is not visible to you',
  },
  repository: {
    tag: 'repository',
    prefix: '/repos/{owner}/{repo}',
    whose: 'a repository',
    refused: 'You do not have admin access to the repository',
    notFound: 'The repository does not exist or is not visible to you',
  },
  own: {
    tag: 'user',
    private: true,
    prefix: '/user',
    whose: 'your account',
    refused: 'The token is limited to public data',
  },
  site: {
    tag: 'admin',
    prefix: '/admin',
    whose: 'the site',
    refused: 'You are not a site administrator',
  },
}

/**
 * Returns the shared parts of endpoints that exist for several kinds of scopes: their path prefix, their
 * metadata, and a factory for procedures that load the scope.
 */
export function scopeKit(kind: ScopeName['kind']) {
  const { tag, prefix, whose, refused, notFound, ...options } = scopeKinds[kind]
  const shared = { ...options, tag, scopes: [tag] }
  const forbidden = { 403: `${refused}.` }
  return {
    prefix,
    whose,
    refused,
    shared,
    /**
     * Options of endpoints that also concern private repositories. A public-only token can use them only in
     * the scope of a public repository.
     */
    beyondPublic: { ...shared, private: kind !== 'repository' },
    errors: notFound ? { ...forbidden, 404: `${notFound}.` } : forbidden,
    errorsOfOne: (what: string) => ({
      ...forbidden,
      404: `${notFound ? `${notFound}, or it has` : 'There is'} no such ${what}.`,
    }),
    /**
     * Creates a procedure whose path parameters are those of the scope and those in `path`. The result of
     * `load` becomes `ctx.found`.
     */
    procedure: <Path extends z.ZodObject, Found>(
      path: Path,
      load: (ctx: UserCtx, scope: ScopeName, path: z.output<Path>) => Promise<Found>,
    ) =>
      signedInWith(path.extend(scopePaths[kind]) as Path, (ctx, named) =>
        load(ctx, { ...named, kind } as ScopeName, named),
      ),
  }
}
