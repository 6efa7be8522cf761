import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import type { Icon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { readFailure } from '@/app/_lib/failure'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { ScopeName } from '@/server/scopes/schema'

interface LostScopeProps {
  scope: ScopeName
  icon: Icon
  /** Plural name of the lost content, such as "these webhooks". */
  what: string
  error: unknown
}

/** Replaces a page's content once the viewer has lost access to it while the page was open (`isLoss`). */
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

const start = { href: '/', label: 'Go to the home page' }

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
