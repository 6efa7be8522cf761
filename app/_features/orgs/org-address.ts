/** Where the pages of an organization are. */
export function orgAddress(org: string, page = ''): string {
  const name = encodeURIComponent(org)
  return page ? `/-/orgs/${name}/${page}` : `/${name}`
}

export function teamAddress(org: string, team: string, tab = ''): string {
  const address = `${orgAddress(org, 'teams')}/${encodeURIComponent(team)}`
  return tab ? `${address}/${tab}` : address
}
