'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { signInPath } from '@/app/_lib/paths'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { kitClasses } from './kit-classes'
import { ButtonContent } from './light-button'
import { PageLink } from './page-link'

// What is expensive to compute, and former states of repositories, which robots.txt keeps search engines from, too.
const expensive =
  /^\/[^/]+\/[^/]+\/(?:archive|compare|src\/commit|commits\/commit)\/|^\/[^/]+\/[^/]+\/commits\/.*\?/

const relOf = (href: string): string | undefined => (expensive.test(href) ? 'nofollow' : undefined)

interface TextLinkProps {
  href: string
  children: ReactNode
  /** Underlines the link inside running text, where color alone would not distinguish it. */
  inline?: boolean
  muted?: boolean
}

export function TextLink({ href, children, inline = false, muted = false }: TextLinkProps): ReactNode {
  return (
    <PageLink
      href={href}
      rel={relOf(href)}
      className={kitClasses.link}
      data-inline={inline || undefined}
      data-muted={muted || undefined}
    >
      {children}
    </PageLink>
  )
}

interface QuietLinkProps {
  href: string
  children: ReactNode
  /** Underlines the link inside running text, where color alone would not distinguish it. */
  inline?: boolean
  /** Accessible name, if several links on a page have the same text. */
  name?: string
}

/** Link for lists, with an accessible name of its own if texts repeat. */
export function QuietLink({ href, children, inline = false, name }: QuietLinkProps): ReactNode {
  return (
    <PageLink
      href={href}
      rel={relOf(href)}
      className={kitClasses.link}
      data-inline={inline || undefined}
      aria-label={name}
    >
      {children}
    </PageLink>
  )
}

interface ButtonLinkProps {
  href: string
  children: ReactNode
  variant?: 'default' | 'primary' | 'invisible'
  size?: 'small' | 'medium'
  /** Accessible name, if several links on a page have the same text. */
  name?: string
}

/** Link to a page that looks like a button. */
export function ButtonLink({
  href,
  children,
  variant = 'default',
  size = 'medium',
  name,
}: ButtonLinkProps): ReactNode {
  return (
    <PageLink
      href={href}
      rel={relOf(href)}
      className={kitClasses.button}
      data-ahead=""
      data-component="Button"
      data-label-wrap="true"
      data-no-visuals="true"
      data-size={size}
      data-variant={variant}
      aria-label={name}
    >
      <ButtonContent>{children}</ButtonContent>
    </PageLink>
  )
}

/**
 * Link to the sign-in page, which redirects back here. Renders nothing on the sign-in page itself. Until
 * hydration, the link uses `asked` as the page's URL, because the server's router reports a different one for
 * not-found pages.
 */
export function SignInLink({ asked }: { asked: string }): ReactNode {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  const here = useHydrated() ? pathname + (search && `?${search}`) : asked
  if (/^\/-\/(sign-in|setup)(\?|$)/.test(here)) return null
  return <ButtonLink href={signInPath({ pathname: here, search: '' })}>Sign in</ButtonLink>
}
