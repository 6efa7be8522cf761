'use client'
import NextLink from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { signInPath } from '@/app/_lib/paths'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { Button, Link } from './primer'

interface TextLinkProps {
  href: string
  children: ReactNode
  /** Inside running text, where color alone would not tell it apart. */
  inline?: boolean
  muted?: boolean
}

export function TextLink({ href, children, inline = false, muted = false }: TextLinkProps): ReactNode {
  return (
    <Link as={NextLink} href={href} prefetch={false} inline={inline} muted={muted}>
      {children}
    </Link>
  )
}

interface QuietLinkProps {
  href: string
  children: ReactNode
  /** Inside running text, where color alone would not tell it apart. */
  inline?: boolean
  /** What it is called where several on a page have the same words. */
  name?: string
}

/** For lists with many links: nothing is loaded before it is asked for. */
export function QuietLink({ href, children, inline = false, name }: QuietLinkProps): ReactNode {
  return (
    <Link as={NextLink} href={href} prefetch={false} inline={inline} aria-label={name}>
      {children}
    </Link>
  )
}

interface ButtonLinkProps {
  href: string
  children: ReactNode
  variant?: 'default' | 'primary' | 'invisible'
  size?: 'small' | 'medium'
  /** What it is called where several on a page have the same words. */
  name?: string
}

/** Looks like a button and is a link: it opens a page. */
export function ButtonLink({ href, children, variant = 'default', size, name }: ButtonLinkProps): ReactNode {
  return (
    <Button
      as={NextLink}
      href={href}
      prefetch={false}
      data-ahead
      variant={variant}
      size={size}
      labelWrap
      aria-label={name}
    >
      {children}
    </Button>
  )
}

/**
 * The way in, and back to this page; nothing where the page itself is the way in. Until the page is awake `asked` says which
 * one it is: the router of the server takes the not-found page for one with an address of its own.
 */
export function SignInLink({ asked }: { asked: string }): ReactNode {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  const here = useHydrated() ? pathname + (search && `?${search}`) : asked
  if (/^\/-\/(sign-in|setup)(\?|$)/.test(here)) return null
  return <ButtonLink href={signInPath({ pathname: here, search: '' })}>Sign in</ButtonLink>
}
