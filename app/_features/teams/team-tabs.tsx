'use client'
import { GearIcon, PeopleIcon, PulseIcon, RepoIcon, ShieldIcon } from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Tabs } from '@/app/_components/tabs'
import { teamAddress } from '@/app/_features/orgs/org-address'
import styles from './team.module.css'

interface TeamTabsProps {
  org: string
  team: string
  mayManage: boolean
}

const forAll = [
  { part: '', words: 'Members', Icon: PeopleIcon },
  { part: 'repositories', words: 'Repositories', Icon: RepoIcon },
  { part: 'permissions', words: 'Permissions', Icon: ShieldIcon },
  { part: 'activity', words: 'Activity', Icon: PulseIcon },
]

export function TeamTabs({ org, team, mayManage }: TeamTabsProps): ReactNode {
  const current = usePathname().split('/')[6] ?? ''
  const tabs = mayManage ? [...forAll, { part: 'settings', words: 'Settings', Icon: GearIcon }] : forAll
  return (
    <div className={styles.tabs}>
      <Tabs
        label="Team"
        tabs={tabs.map(({ part, ...tab }) => ({
          ...tab,
          href: teamAddress(org, team, part),
          current: part === current,
        }))}
      />
    </div>
  )
}
