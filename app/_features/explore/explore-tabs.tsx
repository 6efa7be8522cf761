'use client'
import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { OrganizationIcon, PersonIcon, RepoIcon } from '@/app/_components/icons'
import { Tabs } from '@/app/_components/tabs'
import { type ExploreTab, explorePath } from '@/app/_lib/paths'
import styles from './explore.module.css'

const tabs = [
  { tab: 'repositories', label: 'Repositories', Icon: RepoIcon },
  { tab: 'organizations', label: 'Organizations', Icon: OrganizationIcon },
  { tab: 'people', label: 'People', Icon: PersonIcon },
] as const

/** Tabs for repositories, organizations, and people. Switching tabs keeps the search text. */
export function ExploreTabs({ current }: { current: ExploreTab }): ReactNode {
  const q = useSearchParams().get('q') ?? ''
  return (
    <div className={styles.tabs}>
      <Tabs
        label="Explore"
        tabs={tabs.map(({ tab, label, Icon }) => ({
          href: explorePath(tab, q),
          label,
          Icon,
          current: tab === current,
        }))}
      />
    </div>
  )
}
