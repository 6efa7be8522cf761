import type { Icon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { readFailure } from '@/app/_lib/failure'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { ScopeName } from '@/server/scopes/schema'

interface LostScopeProps {
  scope: ScopeName
  icon: Icon
  /** Such as "these webhooks". */
  what: string
  error: unknown
}

/** In place of what was lost, as `isLoss` tells, while its page was open. */
export function LostScope({ scope, icon, what, error }: LostScopeProps): ReactNode {
  const { kind, message } = readFailure(error)
  const isHidden = kind === 'notFound'
  const { href, label } = isHidden ? start : wayOn(scope)
  return (
    <EmptyState
      icon={icon}
      title={`You can no longer manage ${what}`}
      action={<ButtonLink href={href}>{label}</ButtonLink>}
    >
      <p>{isHidden ? message : 'Your access has changed since you opened this page.'}</p>
    </EmptyState>
  )
}

const start = { href: '/', label: 'Go to the start page' }

function wayOn(scope: ScopeName): typeof start {
  switch (scope.kind) {
    case 'organization':
      return { href: orgPath(scope.org), label: `Go to ${scope.org}` }
    case 'repository': {
      const full_name = `${scope.owner}/${scope.repo}`
      return { href: repositoryPath({ full_name }), label: `Go to ${full_name}` }
    }
    case 'own':
    case 'site':
      return start
  }
}
