import type { ReactNode } from 'react'
import { Label } from '@/app/_components/label'
import { Trail } from '@/app/_components/page-heading'
import { VisitedPage } from '@/app/_components/visited-page'
import { accessSummary } from '@/app/_features/teams/permissions/summaries'
import { readTeam, type TeamParams } from '@/app/_features/teams/read-team'
import styles from '@/app/_features/teams/team.module.css'
import { TeamTabs } from '@/app/_features/teams/team-tabs'
import { orgPath, teamPath } from '@/app/_lib/paths'
import type { Team } from '@/server/teams/schema'

interface TeamLayoutProps extends TeamParams {
  children: ReactNode
}

export default async function TeamLayout({ children, params }: TeamLayoutProps): Promise<ReactNode> {
  const { organization, access, team } = await readTeam({ params })
  return (
    <>
      <VisitedPage
        kind="team"
        text={`${organization.name}/${team.name}`}
        href={teamPath(organization.name, team.name)}
      />
      <TeamTrail org={organization.name} team={team.name} />
      <TeamHeading team={team} />
      <TeamTabs org={organization.name} team={team.name} mayManage={access.may_manage} />
      {children}
    </>
  )
}

function TeamHeading({ team }: { team: Team }): ReactNode {
  const { name, description, includes_all_repositories, can_create_org_repo } = team
  return (
    <div className={styles.heading}>
      <h1 className={styles.name}>{name}</h1>
      {description ? (
        <p className={styles.description}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <p className={styles.labels}>
        <Label variant="secondary">{accessSummary(team)}</Label>
        {includes_all_repositories ? <Label variant="secondary">All repositories</Label> : null}
        {can_create_org_repo ? <Label variant="secondary">Can create repositories</Label> : null}
      </p>
    </div>
  )
}

/** Breadcrumb with links to the organization's teams and to this team. */
function TeamTrail({ org, team }: { org: string; team: string }): ReactNode {
  const teams = { href: orgPath(org, 'teams'), label: 'Teams' }
  return <Trail steps={[teams, { href: teamPath(org, team), label: team }]} />
}
