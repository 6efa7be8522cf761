'use client'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { Breadcrumbs } from '@/app/_components/primer'
import { orgAddress, teamAddress } from '../../../_org/org-address'

/** The way back up from a team. */
export function TeamTrail({ org, team }: { org: string; team: string }): ReactNode {
  return (
    <Breadcrumbs>
      <Breadcrumbs.Item as={NextLink} href={orgAddress(org, 'teams')}>
        Teams
      </Breadcrumbs.Item>
      <Breadcrumbs.Item as={NextLink} href={teamAddress(org, team)} selected>
        {team}
      </Breadcrumbs.Item>
    </Breadcrumbs>
  )
}
