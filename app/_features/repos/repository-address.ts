/** Where the pages of a repository are, on whatever host this site is opened. */
export function repositoryAddress({ full_name }: { full_name: string }, tab = ''): string {
  const path = full_name.split('/').map(encodeURIComponent).join('/')
  return tab ? `/${path}/${tab}` : `/${path}`
}
