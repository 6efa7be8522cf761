import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { UserAvatar } from '@/app/_components/user-avatar'
import { VisitedPage } from '@/app/_components/visited-page'
import { orgPath } from '@/app/_lib/paths'
import { currentSession } from '@/app/_lib/server'
import type { OrganizationOverview } from '@/server/orgs/schema'
import styles from './org-frame.module.css'
import { OrgTabs } from './org-tabs'

interface OrgFrameProps {
  overview: OrganizationOverview
  children: ReactNode
}

/** Frame of every organization page: a bar with the organization's name and tabs, above the page's content. */
export async function OrgFrame({ overview, children }: OrgFrameProps): Promise<ReactNode> {
  const { id, name } = overview.organization
  const isSignedIn = (await currentSession()) !== null
  return (
    <>
      <VisitedPage kind="organization" text={name} href={orgPath(name)} />
      {isSignedIn ? <LiveRefresh topics={[{ topic: 'organization', id }]} /> : null}
      <div className={styles.bar}>
        <div className={styles.who}>
          <UserAvatar id={id} size={24} />
          <span className={styles.name}>
            <QuietLink href={orgPath(name)}>{name}</QuietLink>
          </span>
        </div>
        <OrgTabs overview={overview} />
      </div>
      <div className={styles.content}>{children}</div>
    </>
  )
}
