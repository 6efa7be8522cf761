import { CodeSquareIcon, type Icon, KeyAsteriskIcon } from '@primer/octicons-react'
import type { ScopeName } from '@/server/scopes/schema'
import type { VariableKind } from './queries'

interface KindLabels {
  title: string
  icon: Icon
  /** What a workflow writes to use one. */
  reference: (name: string) => string
  none: string
}

export const kindLabels: Record<VariableKind, KindLabels> = {
  secret: {
    title: 'Secrets',
    icon: KeyAsteriskIcon,
    reference: name => `\${{ secrets.${name} }}`,
    none: 'A secret is a password or token that jobs need, for example to publish a package. Its value is never shown again, and runners mask it in logs.',
  },
  variable: {
    title: 'Variables',
    icon: CodeSquareIcon,
    reference: name => `\${{ vars.${name} }}`,
    none: 'A variable is a setting that jobs read, such as the name of a server. Everyone who can read a log may see it: keep passwords in secrets.',
  },
}

const jobsOf: Record<ScopeName['kind'], string> = {
  organization: 'jobs of all repositories of this organization',
  own: 'jobs of all your repositories',
  repository: 'jobs of this repository',
  site: 'jobs of all repositories',
}

/** One sentence on what they are for. */
export const leadOf = (scope: ScopeName, kind: VariableKind): string =>
  kind === 'secret'
    ? `Passwords and tokens for ${jobsOf[scope.kind]}. They are stored encrypted.`
    : `Settings for ${jobsOf[scope.kind]}. They are not encrypted.`

/** Where else jobs may find one of the same name. The site has no secrets. */
export function elsewhereDefined(scope: ScopeName, kind: VariableKind): string {
  if (scope.kind === 'site') return 'the repository or its owner'
  const nearer = scope.kind === 'repository' ? 'the owner' : 'the repository'
  return kind === 'secret' ? nearer : `${nearer} or the site`
}
