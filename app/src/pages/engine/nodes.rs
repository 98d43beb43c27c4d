//! The processes that serve this database.

use crate::{
    components::{icon::Icon, moment::Relative},
    words::engine::EngineWords,
};
use domain::engine::{EngineReport, NodeReport, NodeRole, NodeState};
use leptos::{either::Either, prelude::*};

/// Each node with its heartbeat.
#[component]
pub fn Nodes(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let nodes = Memo::new(move |_| report.with(|report| report.nodes.clone()));
    let body = move || match nodes.get() {
        none if none.is_empty() => Either::Left(view! { <p class="over">{words.nodes_empty()}</p> }),
        nodes => Either::Right(table(nodes)),
    };
    view! {
        <section class="panel whole" aria-labelledby="nodes">
            <header><h2 id="nodes">{words.nodes_title()}</h2><span class="over">{words.nodes_hint()}</span></header>
            {body}
        </section>
    }
}

fn table(nodes: Vec<NodeReport>) -> impl IntoView {
    let words = EngineWords::here();
    let rows = nodes.into_iter().map(|node| view! { <Node node=node /> }).collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-labelledby="nodes">
            <table class="table">
                <thead><tr>
                    <th scope="col">{words.node_name()}</th>
                    <th scope="col">{words.node_state()}</th>
                    <th scope="col">{words.last_beat()}</th>
                    <th scope="col">{words.node_role()}</th>
                    <th scope="col">{words.version()}</th>
                    <th scope="col">{words.started()}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Node(node: NodeReport) -> impl IntoView {
    let words = EngineWords::here();
    let (class, mark, state) = match node.state {
        NodeState::Alive => ("state-word good", "executed", words.node_alive()),
        NodeState::Stopped => ("state-word", "cancelled", words.node_stopped()),
        NodeState::Lost => ("state-word bad", "failed", words.node_lost()),
    };
    let role = match node.role {
        NodeRole::Web => words.role_web(),
        NodeRole::Work => words.role_work(),
        NodeRole::All => words.role_all(),
    };
    let this = node.is_self.then(|| view! { " " <span class="over">{words.this_node()}</span> });
    view! {
        <tr>
            <th scope="row">{node.name}{this}</th>
            <td><span class=class><Icon name=mark />{state}</span></td>
            <td><Relative at=node.beat_at is_past=true /></td>
            <td>{role}</td>
            <td>{node.version}</td>
            <td><Relative at=node.started_at /></td>
        </tr>
    }
}
