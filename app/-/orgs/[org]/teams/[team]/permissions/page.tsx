import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { draftOf } from '@/app/_features/teams/permissions/permission-draft'
import { PermissionEditor } from '@/app/_features/teams/permissions/permission-editor'
import { UnitMatrix } from '@/app/_features/teams/permissions/unit-matrix'
import { readTeam, type TeamParams, teamTitle } from '@/app/_features/teams/read-team'
import styles from '@/app/_features/teams/team.module.css'

export function generateMetadata(props: TeamParams): Promise<Metadata> {
  return teamTitle(props, 'Permissions')
}

export default async function PermissionsPage({ params }: TeamParams): Promise<ReactNode> {
  const { access, team } = await readTeam({ params })
  const isOwners = team.permission === 'owner'
  if (access.may_manage && !isOwners) return <PermissionEditor key={team.id} team={team} />
  return (
    <>
      <p className={styles.notice}>
        {isOwners
          ? 'Owners have full access to the organization and all its repositories. To give someone less access, add them to another team instead.'
          : 'What this team’s members can do in its repositories. Only organization owners can change these permissions.'}
      </p>
      <UnitMatrix draft={draftOf(team)} />
    </>
  )
}
