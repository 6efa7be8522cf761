'use client'
import { usePathname } from 'next/navigation'
import { type ReactNode, useId, useState } from 'react'
import { type Icon, ThreeBarsIcon } from '@/app/_components/icons'
import { PageLink } from './page-link'
import { Button } from './primer'
import styles from './side-nav.module.css'

export interface NavPage {
  href: string
  label: string
  Icon: Icon
}

interface SideNavProps {
  label: string
  /** Shorter label for the button. */
  short?: string
  groups: readonly SideNavGroup[]
}

interface SideNavGroup {
  title?: string
  links: readonly (NavPage & { current: boolean })[]
}

/** Navigation between settings pages. On narrow pages, it is behind a button that names the current page. */
export function SideNav({ label, short = label, groups }: SideNavProps): ReactNode {
  const id = useId()
  const [open, setOpen] = useState(false)
  const here = groups.flatMap(({ links }) => links).find(({ current }) => current)
  return (
    <div>
      <div className={styles.toggle}>
        <Button
          block
          alignContent="start"
          leadingVisual={ThreeBarsIcon}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {here ? `${short}: ${here.label}` : short}
        </Button>
      </div>
      <nav id={id} aria-label={label} className={open ? styles.open : styles.closed}>
        {groups.map(group => (
          <Group key={group.title ?? ''} {...group} onNavigate={() => setOpen(false)} />
        ))}
      </nav>
    </div>
  )
}

function Group({ title, links, onNavigate }: SideNavGroup & { onNavigate: () => void }): ReactNode {
  const id = useId()
  return (
    <div className={styles.group}>
      {title ? (
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
      ) : null}
      <ul aria-labelledby={title ? id : undefined}>
        {links.map(({ href, label, Icon: Visual, current }) => (
          <li key={href}>
            <PageLink
              href={href}
              className={styles.link}
              aria-current={current ? 'page' : undefined}
              onClick={onNavigate}
            >
              <span className={styles.visual}>
                <Visual />
              </span>
              {label}
            </PageLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface SettingsPage {
  /** Path below the owner of the settings, such as `settings/access`. */
  segment: string
  label: string
  Icon: Icon
}

interface SettingsMenuProps {
  label: string
  pages: readonly SettingsPage[]
  pathOf: (segment: string) => string
}

/** Navigation between the settings pages of a repository or organization. */
export function SettingsMenu({ label, pages, pathOf }: SettingsMenuProps): ReactNode {
  const pathname = usePathname()
  // A page is also the current one on the pages below its path. The path of the first page is a prefix of all
  // others, so it is the fallback.
  const [first, ...others] = pages
  const here = others.find(({ segment }) => `${pathname}/`.startsWith(`${pathOf(segment)}/`)) ?? first
  const links = pages.map(page => ({
    href: pathOf(page.segment),
    label: page.label,
    Icon: page.Icon,
    current: page === here,
  }))
  return <SideNav label={label} short="Settings" groups={[{ links }]} />
}
