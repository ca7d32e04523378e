/** What a browser's tab shows: two columns that agree but for one line. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3" fill="#0b57a4"/>
<path d="M3 5h4M3 8h4M3 11h4M9 5h4M9 11h4" stroke="#fff" stroke-width="1.5"/>
<path d="M9 8h2" stroke="#ffc766" stroke-width="1.5"/>
</svg>
`;
