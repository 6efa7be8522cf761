import type { ComponentProps, ReactNode } from 'react'

interface PageLinkProps extends Omit<ComponentProps<'a'>, 'target' | 'download'> {
  href: string
}

/**
 * Link to a page of this site, which `NavigationProgress` opens without loading the document again. Only an
 * element, because pages have many links, and rendering the router's component takes much longer.
 */
export function PageLink(props: PageLinkProps): ReactNode {
  return <a data-page="" {...props} />
}
