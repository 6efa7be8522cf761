/** The sign-in page, which leads back to this one. */
export function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  const path = pathname + search
  return path === '/' ? '/-/sign-in' : `/-/sign-in?next=${encodeURIComponent(path)}`
}
