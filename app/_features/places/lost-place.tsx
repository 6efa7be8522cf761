import type { Icon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { readFailure } from '@/app/_lib/failure'
import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { PlaceName } from '@/server/places/schema'

interface LostScopeProps {
  place: PlaceName
  icon: Icon
  /** Such as "these webhooks". */
  what: string
  error: unknown
}

/** In place of what was lost, as `isLoss` tells, while its page was open. */
export function LostScope({ place, icon, what, error }: LostScopeProps): ReactNode {
  const { kind, message } = readFailure(error)
  const isHidden = kind === 'notFound'
  const { href, label } = isHidden ? start : wayOn(place)
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

function wayOn(place: PlaceName): typeof start {
  switch (place.scope) {
    case 'organization':
      return { href: orgPath(place.org), label: `Go to ${place.org}` }
    case 'repository': {
      const full_name = `${place.owner}/${place.repo}`
      return { href: repositoryPath({ full_name }), label: `Go to ${full_name}` }
    }
    case 'own':
    case 'site':
      return start
  }
}
