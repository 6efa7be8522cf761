import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { ScopeName } from '@/server/scopes/schema'

/** Returns the path of a scope's settings page, such as `hooks`. */
export function settingsPath(scope: ScopeName, segment: string): string {
  switch (scope.kind) {
    case 'organization':
      return orgPath(scope.org, `settings/${segment}`)
    case 'own':
      return `/user/settings/${segment}`
    case 'repository':
      return repositoryPath({ full_name: `${scope.owner}/${scope.repo}` }, `settings/${segment}`)
    case 'site':
      return `/-/admin/${segment}`
  }
}

/** Returns the path of the page that sets up a runner with these labels. */
export function newRunnerPath(scope: ScopeName, labels: readonly string[], method = 'program'): string {
  const query = new URLSearchParams({
    ...(method === 'program' ? {} : { with: method }),
    ...(labels.length === 0 ? {} : { labels: labels.join() }),
  })
  return settingsPath(scope, `actions/runners/new${query.size > 0 ? `?${query}` : ''}`)
}

/** Returns the level of headings on settings pages. In a repository they are below the repository's name. */
export const headingLevel = ({ kind }: ScopeName): 1 | 2 => (kind === 'repository' ? 2 : 1)
