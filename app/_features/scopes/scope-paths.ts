import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { ScopeName } from '@/server/scopes/schema'

/** Path of a settings page of a scope, such as `hooks`. */
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

/** Path of the page that sets up a runner with these labels. */
export function newRunnerPath(scope: ScopeName, labels: readonly string[], method = 'program'): string {
  const query = new URLSearchParams({
    ...(method === 'program' ? {} : { with: method }),
    ...(labels.length === 0 ? {} : { labels: labels.join() }),
  })
  return settingsPath(scope, `actions/runners/new${query.size > 0 ? `?${query}` : ''}`)
}

/** Of the headings of settings pages: those of a repository stand below its name. */
export const headingLevel = ({ kind }: ScopeName): 1 | 2 => (kind === 'repository' ? 2 : 1)
