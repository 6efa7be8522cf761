'use client'
import { type Icon, ThreeBarsIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './primer'
import styles from './side-nav.module.css'

export interface NavPage {
  href: string
  label: string
  Icon: Icon
}

interface SideNavProps {
  label: string
  /** On the button, where the label says more. */
  short?: string
  groups: readonly SideNavGroup[]
}

interface SideNavGroup {
  title?: string
  links: readonly (NavPage & { current: boolean })[]
}

/** The settings pages beside this one; where the page is narrow, behind a button that names this one. */
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
            <NextLink
              href={href}
              prefetch={false}
              className={styles.link}
              aria-current={current ? 'page' : undefined}
              onClick={onNavigate}
            >
              <span className={styles.visual}>
                <Visual />
              </span>
              {label}
            </NextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface SettingsPage {
  /** Below what the settings are of, such as `settings/access`. */
  segment: string
  label: string
  Icon: Icon
}

interface SettingsMenuProps {
  label: string
  pages: readonly SettingsPage[]
  pathOf: (segment: string) => string
}

/** Navigation between the settings pages of a repository or an organization. */
export function SettingsMenu({ label, pages, pathOf }: SettingsMenuProps): ReactNode {
  const pathname = usePathname()
  // Below its own address, a page has others that belong to it; all are below the first.
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
