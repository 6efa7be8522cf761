import type { ReactNode } from 'react'
import { Trail } from '@/app/_components/trail'
import { orgAddress, teamAddress } from '@/app/_features/orgs/org-address'

/** The way back up from a team. */
export function TeamTrail({ org, team }: { org: string; team: string }): ReactNode {
  const teams = { href: orgAddress(org, 'teams'), words: 'Teams' }
  return <Trail steps={[teams, { href: teamAddress(org, team), words: team }]} />
}
