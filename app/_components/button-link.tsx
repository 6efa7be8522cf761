'use client'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { Button } from './primer'

interface ButtonLinkProps {
  href: string
  children: ReactNode
  variant?: 'default' | 'primary' | 'invisible'
}

/** Looks like a button and is a link: it opens a page. */
export function ButtonLink({ href, children, variant = 'default' }: ButtonLinkProps): ReactNode {
  return (
    <Button as={NextLink} href={href} variant={variant}>
      {children}
    </Button>
  )
}
