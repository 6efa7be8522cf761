import type { z } from 'zod'
import type { UserCtx } from '@/server/kernel/ctx'
import { signedInWith } from '@/server/trpc/procedures'
import type { RestOptions } from '@/server/trpc/rest'
import { type ScopeName, scopePaths } from './schema'

interface ScopeKind extends Pick<RestOptions, 'private'> {
  tag: 'organization' | 'repository' | 'user' | 'admin'
  /** The path of the scope. */
  prefix: `/${string}`
  /** The scope in summaries, which follows "of". */
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
    notFound: 'No such organization, or not visible to you',
  },
  repository: {
    tag: 'repository',
    prefix: '/repos/{owner}/{repo}',
    whose: 'a repository',
    refused: 'You do not administer the repository',
    notFound: 'No such repository, or not visible to you',
  },
  own: {
    tag: 'user',
    private: true,
    prefix: '/user',
    whose: 'your own',
    refused: 'The token is limited to public data',
  },
  site: {
    tag: 'admin',
    prefix: '/admin',
    whose: 'the site',
    refused: 'You do not administer the site',
  },
}

/** What endpoints need that exist for several kinds of scopes: their paths, their meta, and procedures that load. */
export function scopeKit(kind: ScopeName['kind']) {
  const { tag, prefix, whose, refused, notFound, ...options } = scopeKinds[kind]
  const shared = { ...options, tag, scopes: [tag] }
  const forbidden = { 403: `${refused}.` }
  return {
    prefix,
    whose,
    refused,
    shared,
    /** Of endpoints that concern private repositories too, except at the scope of a public repository. */
    beyondPublic: { ...shared, private: kind !== 'repository' },
    errors: notFound ? { ...forbidden, 404: `${notFound}.` } : forbidden,
    errorsOfOne: (what: string) => ({
      ...forbidden,
      404: `${notFound ? `${notFound}, or no` : 'No'} such ${what}.`,
    }),
    /** A procedure whose path names the scope and what `path` says; `load` gives the verb its `ctx.found`. */
    procedure: <Path extends z.ZodObject, Found>(
      path: Path,
      load: (ctx: UserCtx, scope: ScopeName, path: z.output<Path>) => Promise<Found>,
    ) =>
      signedInWith(path.extend(scopePaths[kind]) as Path, (ctx, named) =>
        load(ctx, { ...named, kind } as ScopeName, named),
      ),
  }
}
