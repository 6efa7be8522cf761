import 'server-only'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { readOrgAsMember } from '@/app/_features/orgs/read-org'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, orNotFound } from '@/app/_lib/server'
import type { OrganizationOverview } from '@/server/orgs/schema'
import type { Team } from '@/server/teams/schema'

export interface TeamParams {
  params: Promise<{ org: string; team: string }>
}

export interface ReadTeam extends OrganizationOverview {
  team: Team
}

const readOnce = cache(async (org: string, name: string): Promise<ReadTeam> => {
  const overview = await readOrgAsMember(org)
  const { teams } = await caller()
  const team = await orHidden(teams.getByName({ org: overview.organization.name, team: name }))
  return { ...overview, team }
})

/** Returns the team of a page. Shows "not found" to viewers who can't see the team. */
export async function readTeam({ params }: TeamParams): Promise<ReadTeam> {
  const { org, team } = await params
  return await readOnce(org, team)
}

/** Returns the team of a page for owners and site administrators. Shows "not found" to everyone else. */
export async function readTeamAsManager(params: TeamParams): Promise<ReadTeam> {
  const read = await readTeam(params)
  if (!read.access.may_manage) notFound()
  return read
}

export async function teamTitle({ params }: TeamParams, tab: string): Promise<{ title: string }> {
  const { org, team } = await params
  return { title: `${tab} · ${decodeSegment(team)} · ${decodeSegment(org)}` }
}

async function orHidden<T>(answer: Promise<T>): Promise<T> {
  return await orNotFound(
    answer.catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'FORBIDDEN') notFound()
      throw error
    }),
  )
}
