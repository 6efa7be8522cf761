'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { GearIcon, PeopleIcon, PulseIcon, RepoIcon, ShieldIcon } from '@/app/_components/icons'
import { Tabs } from '@/app/_components/tabs'
import { teamPath } from '@/app/_lib/paths'
import styles from './team.module.css'

interface TeamTabsProps {
  org: string
  team: string
  mayManage: boolean
}

const forAll = [
  { segment: '', label: 'Members', Icon: PeopleIcon },
  { segment: 'repositories', label: 'Repositories', Icon: RepoIcon },
  { segment: 'permissions', label: 'Permissions', Icon: ShieldIcon },
  { segment: 'activity', label: 'Activity', Icon: PulseIcon },
]

export function TeamTabs({ org, team, mayManage }: TeamTabsProps): ReactNode {
  const current = usePathname().split('/')[6] ?? ''
  const tabs = mayManage ? [...forAll, { segment: 'settings', label: 'Settings', Icon: GearIcon }] : forAll
  return (
    <div className={styles.tabs}>
      <Tabs
        label="Team"
        tabs={tabs.map(({ segment, ...tab }) => ({
          ...tab,
          href: teamPath(org, team, segment),
          current: segment === current,
        }))}
      />
    </div>
  )
}
