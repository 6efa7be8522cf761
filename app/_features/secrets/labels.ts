import { CodeSquareIcon, type Icon, KeyAsteriskIcon } from '@/app/_components/icons'
import type { ScopeName } from '@/server/scopes/schema'
import type { VariableKind } from './queries'

interface KindLabels {
  title: string
  icon: Icon
  /** Returns the expression for a name as a workflow writes it. */
  reference: (name: string) => string
  none: string
}

export const kindLabels: Record<VariableKind, KindLabels> = {
  secret: {
    title: 'Secrets',
    icon: KeyAsteriskIcon,
    reference: name => `\${{ secrets.${name} }}`,
    none: 'Secrets are passwords and tokens that jobs need, such as a token for publishing a package. Values are never shown again, and runners mask them in logs.',
  },
  variable: {
    title: 'Variables',
    icon: CodeSquareIcon,
    reference: name => `\${{ vars.${name} }}`,
    none: 'Variables are settings that jobs read, such as a server name. Their values can appear in logs, so store passwords as secrets instead.',
  },
}

const jobsOf: Record<ScopeName['kind'], string> = {
  organization: 'jobs in this organization’s repositories',
  own: 'jobs in all your repositories',
  repository: 'jobs in this repository',
  site: 'jobs in all repositories',
}

/** Returns a one-line introduction to a scope's secrets or variables. */
export const leadOf = (scope: ScopeName, kind: VariableKind): string =>
  kind === 'secret'
    ? `Encrypted passwords and tokens for ${jobsOf[scope.kind]}.`
    : `Unencrypted settings for ${jobsOf[scope.kind]}.`

/** Names the other scopes that can define a secret or variable of the same name. The site has no secrets. */
export function elsewhereDefined(scope: ScopeName, kind: VariableKind): string {
  if (scope.kind === 'site') return 'the repository or its owner'
  const nearer = scope.kind === 'repository' ? 'the owner' : 'the repository'
  return kind === 'secret' ? nearer : `${nearer} or the site`
}
