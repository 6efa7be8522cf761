'use client'
import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { Banner } from '@/app/_components/primer'
import styles from '@/app/_features/teams/team.module.css'
import { teamPath } from '@/app/_lib/paths'
import type { Team } from '@/server/teams/schema'

/** Why nothing can be added or taken away here. */
export function AllRepositoriesNotice({ team, mayManage }: { team: Team; mayManage: boolean }): ReactNode {
  return (
    <div className={styles.notice}>
      <Banner
        title="All repositories"
        hideTitle
        description={
          <>
            This team has every repository of the organization, and gets each new one by itself.
            {mayManage && team.permission !== 'owner' ? (
              <>
                {' '}
                To choose single ones, change that in{' '}
                <TextLink href={teamPath(team.organization.name, team.name, 'settings')} inline>
                  the settings of the team
                </TextLink>
                .
              </>
            ) : null}
          </>
        }
      />
    </div>
  )
}
